/** Files that have parts of both sides, and how one of them is put together for the independent tree. */
import { mergeJson } from './json-keys.ts'
import { mergeRust } from './rust-tests.ts'
import { mergeSections } from './sections.ts'
import { canSuppress, withoutNewSuppressions } from './suppressions.ts'

type Merge = (before: string, after: string) => string | undefined

const splitByName: readonly (readonly [RegExp, Merge])[] = [
  [/(?:^|\/)package\.json$/u, (before, after) => mergeJson(before, after, 'package.json')],
  [/(?:^|\/)composer\.json$/u, (before, after) => mergeJson(before, after, 'composer.json')],
  [/(?:^|\/)pyproject\.toml$/u, (before, after) => mergeSections(before, after, 'pyproject.toml')],
  [/(?:^|\/)setup\.cfg$/u, (before, after) => mergeSections(before, after, 'setup.cfg')],
  [/(?:^|\/)Cargo\.toml$/u, (before, after) => mergeSections(before, after, 'Cargo.toml')],
  [/(?:^|\/)go\.mod$/u, (before, after) => mergeLines(before, after, 'go.mod')],
  [/(?:^|\/)requirements[\w.-]*\.txt$/u, (before, after) => mergeLines(before, after, 'requirements.txt')],
]

/** Whether a file of this name has parts of both sides whatever it holds. */
export function isSplitByName(path: string): boolean {
  return splitByName.some(([pattern]) => pattern.test(path))
}

/**
 * Of a file with both sides: the text that stands in the independent tree, which is the product parts as delivered and the
 * check parts as they were. Equal to `after` where no check part changed. Undefined: it cannot be split, so that the whole
 * file counts as check side.
 */
export function independentText(
  path: string,
  before: string | null,
  after: string | null,
): string | undefined {
  const merge = mergeOf(path)
  if (merge === undefined || after === null) return undefined
  if (before === after) return after
  const text = merge(before ?? '', after)
  // A text that is not read the same way again is broken, and was not understood.
  return text !== undefined && merge(before ?? '', text) === text ? text : undefined
}

function mergeOf(path: string): Merge | undefined {
  if (!canSuppress(path)) return splitByName.find(([pattern]) => pattern.test(path))?.[1]
  return (before, after) => {
    const text = path.endsWith('.rs') ? mergeRust(before, after) : after
    return text === undefined ? undefined : withoutNewSuppressions(path, before, text)
  }
}

/** Manifests that are lists of lines: which of them belong to the checks. */

type LineManifest = 'go.mod' | 'requirements.txt'

/** Of Go, another module in the place of one that is named; of pip, options, addresses and folders. */
const checkLine: Readonly<Record<LineManifest, RegExp>> = {
  'go.mod': /^(?:replace|exclude|godebug|toolchain|tool|ignore)\b/u,
  'requirements.txt': /^(?:-|[.~]{0,2}\/|[\w+]+:|[^#]*@)/u,
}

function mergeLines(before: string, after: string, manifest: LineManifest): string {
  const isCheck = (part: string): boolean =>
    checkLine[manifest].test(part.trimStart()) && !(manifest === 'go.mod' && isOwnNewModule(part, before))
  const [earlier, now] = [partsIn(before), partsIn(after)]
  const checks = earlier.filter(isCheck)
  const shape = (parts: readonly string[]) => parts.map((part) => part.trim()).join('\n')
  if (shape(checks) === shape(now.filter(isCheck))) return after
  const product = now.filter((part) => !isCheck(part)).join('')
  const between = product === '' || product.endsWith('\n') || checks.length === 0 ? '' : '\n'
  return product + between + checks.join('')
}

const ownModule = /^replace[ \t]+([\w-]+\.[\w.-]*(?:\/[\w.~-]+)+)[ \t]+=>[ \t]+\.\/(?!.*\.\.)[\w./-]+[ \t]*$/u

/**
 * A module of the same tree that no earlier file can have imported: nothing of its name is there before. From Go 1.17 on, a
 * manifest lists every module that tests need, the modules of modules too.
 */
function isOwnNewModule(part: string, before: string): boolean {
  const module = ownModule.exec(part.trim())?.[1]
  const version = /^go[ \t]+1\.(\d+)/mu.exec(before)?.[1]
  if (module === undefined || version === undefined || Number(version) < 17) return false
  const known = before.match(/[\w-]{1,100}\.[\w.-]{0,200}(?:\/[\w.~-]+)+|^module[ \t]+\S+/gmu) ?? []
  return known
    .map((name) => name.replace(/^module[ \t]+"?|"$/gu, ''))
    .every((name) => name !== module && !name.startsWith(`${module}/`) && !module.startsWith(`${name}/`))
}

/** Lines, and blocks in parentheses as one. */
function partsIn(text: string): readonly string[] {
  const parts: string[] = []
  let isInBlock = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    parts.push(isInBlock ? `${parts.pop() ?? ''}${line}` : line)
    if (/^\w+\s*\(\s*(?:\/\/.*)?$/u.test(line.trimEnd())) isInBlock = true
    else if (/^\s*\)/u.test(line)) isInBlock = false
  }
  return parts
}
