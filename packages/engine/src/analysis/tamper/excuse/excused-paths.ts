import type { FileChange, FileVersion } from '../change.ts'
import { namesOf } from '../compare/words.ts'
import { javascriptParts } from './javascript.ts'
import {
  commentParts,
  isPlain,
  normaliseSpelling,
  type FramePart,
  type Parts,
  type ProvenTest,
} from './parts.ts'
import { pythonParts } from './python.ts'
import { lexisOf, tokensOf } from '../../source/index.ts'

interface Candidate {
  readonly path: string
  /** Null: there is no such version. */
  readonly before: Parts | null
  readonly after: Parts | null
}

/** Longer texts are not proven. Characters. */
const maxLength = 2 ** 17

/**
 * Paths of changed check-side files that are proven equal to or stronger than they were, new files that tests moved into
 * among them: a reformat, a rename or a split within one folder, tests that became rows of a table, stricter matchers. A run is
 * excused where every changed check-side file is among them: what is not proven can change what the rest means. What moves to
 * another folder is not, because only the runner knows whether it looks there.
 */
export function excusedPaths(changes: readonly FileChange[]): ReadonlySet<string> {
  const candidates = changes.flatMap((change) => candidateOf(change) ?? [])
  const excused = new Set<string>()
  for (const candidate of candidates) {
    if (candidate.before === null) continue
    const targets = candidate.after === null ? [] : [candidate]
    const added = candidates.filter(
      (other) => other.before === null && !excused.has(other.path) && isBeside(candidate.path, other.path),
    )
    const alone = targets.length > 0 && isKept(candidate.before, targets)
    const used = alone ? targets : [...targets, ...added.filter((other) => isPartOf(other, candidate))]
    if (alone || (used.length > 0 && isKept(candidate.before, used)))
      for (const { path } of [candidate, ...used]) excused.add(path)
  }
  return excused
}

function candidateOf({ path, before, after }: FileChange): Candidate | undefined {
  if (before !== null && after !== null && before.mode !== after.mode) return undefined
  const then = partsOf(path, before)
  const now = partsOf(path, after)
  return then === undefined || now === undefined ? undefined : { path, before: then, after: now }
}

/** Undefined: nothing can be proven of it. */
function partsOf(path: string, version: FileVersion | null): Parts | null | undefined {
  if (version === null) return null
  const { kind, text } = version
  if (kind !== 'file' || text === null || text.length > maxLength || !isPlain(text)) return undefined
  if (path.endsWith('.py')) return pythonParts(text)
  if (!/\.[cm]?[jt]sx?$/u.test(path)) return tokenParts(path, text)
  try {
    return javascriptParts(path, text)
  } catch {
    return undefined
  }
}

/** In the same folder, and named so that who looks for the one looks for the other. */
function isBeside(path: string, other: string): boolean {
  const shape = (whole: string) => {
    const [, folder, prefix, suffix] =
      /^(.*\/|)((?:test[_-])?)[\w-]+?((?:[_-](?:test|spec))?(?:\.[\w.]+)?)$/u.exec(whole) ?? []
    return folder === undefined ? null : [folder, prefix, suffix].join('|')
  }
  return shape(path) !== null && shape(path) === shape(other) && !/(?:^|\/)[._][^/]*$/u.test(other)
}

function isPartOf({ after }: Candidate, { before }: Candidate): boolean {
  if (after === null || before === null || after.tests.length === 0) return false
  return (
    isFrameOf(after, before.frame) &&
    after.tests.every((test) => before.tests.some((then) => matches(then, test, standsFor)))
  )
}

/** Every test is in one of the targets, and nothing else is; what stands around the tests is the same. */
function isKept(before: Parts, targets: readonly Candidate[]): boolean {
  const after = targets.flatMap((target) => target.after ?? [])
  const known = new Set(after.flatMap(({ frame }) => frame.map(({ text }) => text)))
  const isWhole = before.frame.every(({ text }) => known.has(text))
  const left = [...after.flatMap(({ tests }) => tests)]
  // Each goes to an equal one first, so that a stricter one is left for who needs it.
  const unmatched = [isSame, standsFor].reduce<readonly ProvenTest[]>(
    (open, fits) =>
      open.filter((then) => {
        const index = left.findIndex((now) => matches(then, now, fits))
        if (index !== -1) left.splice(index, 1)
        return index === -1
      }),
    before.tests,
  )
  return (
    isWhole &&
    unmatched.length === 0 &&
    left.length === 0 &&
    after.every((parts) => isFrameOf(parts, before.frame))
  )
}

type Fits = (then: string, now: string) => boolean

/** The same head, and statements that fit one by one. */
function matches(then: ProvenTest, now: ProvenTest, fits: Fits): boolean {
  return (
    isSame(then.head, now.head) &&
    then.statements.length === now.statements.length &&
    then.statements.every((statement, index) => fits(statement, now.statements[index] ?? ''))
  )
}

const isSame: Fits = (then, now) => normaliseSpelling(then) === normaliseSpelling(now)
const standsFor: Fits = (then, now) => isSame(then, now) || isStricter(then, now)

/** The same parts in the same order, without some that declare what this file does not mention. */
function isFrameOf({ frame, tests }: Parts, whole: readonly FramePart[]): boolean {
  const own = frame.filter(({ text }) => text !== ' import pytest')
  let next = 0
  const dropped: FramePart[] = []
  for (const part of whole.filter(({ text }) => text !== ' import pytest')) {
    if (own[next]?.text === part.text) next += 1
    else dropped.push(part)
  }
  if (next < own.length || dropped.some(({ declares }) => declares === null)) return false
  const mentioned = namesOf(
    [...own.map(({ text }) => text), ...tests.flatMap(({ head, statements }) => [head, ...statements])].join(
      '\n',
    ),
  )
  return dropped.every(({ declares }) => declares?.every((name) => !mentioned.has(name)))
}

/** Statements that can only fail more often than the one that they replaced. */

const literal = String.raw`(?:-?\d[\w.]*|"(?:[^"\\]|\\.)*"|true|\[.*\]|\{.*\})`

/** What was asserted, and what may stand there now, between the same beginning and end of the statement. */
const rows: readonly (readonly [then: RegExp, now: RegExp])[] = [
  [
    /\.toBeTruthy\(\)$/u,
    new RegExp(String.raw`\.(?:toBe|toEqual|toStrictEqual)\((?!-?0\)|""\))${literal}\)$`, 'u'),
  ],
  [
    /\.toBeDefined\(\)$/u,
    new RegExp(String.raw`\.(?:toBe|toEqual|toStrictEqual)\((?:${literal}|false|null)\)$`, 'u'),
  ],
  [/\.toBeFalsy\(\)$/u, /\.toBe\((?:false|0|""|null|undefined)\)$/u],
  [/\.toEqual(?=\()/u, /\.toStrictEqual(?=\()/u],
  [/\.toMatchObject(?=\()/u, /\.(?:toEqual|toStrictEqual)(?=\()/u],
  [/^assert\.equal(?=\()/u, /^assert\.strictEqual(?=\()/u],
  [/^assert\.deepEqual(?=\()/u, /^assert\.deepStrictEqual(?=\()/u],
]

/** Both as normalised source of JavaScript. */
function isStricter(then: string, now: string): boolean {
  return rows.some(([weak, strict]) => {
    const left = weak.exec(then)
    const right = strict.exec(now)
    if (left === null || right === null) return false
    const isSameBeginning = then.slice(0, left.index) === now.slice(0, right.index)
    const isSameEnd = then.slice(left.index + left[0].length) === now.slice(right.index + right[0].length)
    return (
      isSameBeginning && isSameEnd && !/\.not\.?$|\.(?:resolves|rejects)$/u.test(then.slice(0, left.index))
    )
  })
}

/** Languages with braces: only that nothing but layout changed is proven. Undefined: another language. */
function tokenParts(path: string, text: string): Parts | undefined {
  const lexis = lexisOf(path)
  if (lexis?.isFreeForm !== true) return undefined
  const tokens = tokensOf(text, lexis)
  const code = tokens.filter(
    ({ kind }, index) => kind !== 'comment' && !(kind === 'newline' && tokens[index - 1]?.kind === 'newline'),
  )
  const words = code.map(({ kind, text: word }) => (kind === 'newline' ? '\n' : word)).join(' ')
  const comments = tokens.filter(({ kind }) => kind === 'comment').map((token) => token.text)
  return { tests: [], frame: [...commentParts(comments), { text: words.trim(), declares: null }] }
}
