/** Product files whose code could cheat the check from inside the tested process. */
import type { FileChange } from '../change.ts'
import type { TamperFinding } from '../finding.ts'
import { braceTraces } from './braces.ts'
import { javascriptTraces } from './javascript.ts'
import { pythonTraces } from './python.ts'
import { scriptTraces } from './scripts.ts'
import { shadowedModule } from './shadowing.ts'
import type { Trace } from './trace.ts'
import { maxLength, unreadFindings } from './unread.ts'

/** A project whose earlier sources do this in several ways makes tools for tests: it is its trade. */
const minOfTrade = 3

/**
 * Product-side changes whose code could cheat: each finding waits for authority. Judged against the baseline texts of all
 * these changes: what stood there before is not told, nor what is the trade of a library for tests.
 */
export function cheatingSources(changes: readonly FileChange[]): readonly TamperFinding[] {
  const written = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : [path])))
  const known = changes.flatMap(({ path, before }) => tracesOf(path, before?.text ?? '', written))
  const texts = new Set(known.map(keyOf))
  return changes.flatMap((change): readonly TamperFinding[] => {
    const { path, before, after } = change
    if (before?.kind === after?.kind && before?.digest === after?.digest) return []
    const isToolFile = before !== null && ofToolForTests.test(path)
    const text = after?.kind === 'file' && !isToolFile ? (after.text ?? '') : ''
    const fresh = tracesOf(path, text, written).filter(
      (trace) => !texts.has(keyOf(trace)) && !isTrade(trace, known),
    )
    return [
      ...shadowing(change),
      ...unreadFindings(change, changes),
      ...withoutRepeats(fresh).map((trace) => findingOf(path, trace)),
    ]
  })
}

/** Where libraries for tests live: `lib/mocha.js`, `src/_pytest/x.py`, `assert/assertions.go`, `packages/expect/src/x.ts`. */
const ofToolForTests =
  /(?:^|[/_.-])(?:_?pytest|unittest|mocha|chai|jest|vitest|jasmine|sinon|expect|asserts?|assertions?|matchers?|mocks?|mocking|testing|test[_-]?(?:utils?|kit|helpers?|support|suite|runner)|testify|runner)(?:[/_.-]|$)/iu

function tracesOf(path: string, text: string, written: ReadonlySet<string>): readonly Trace[] {
  if (text === '' || text.length > maxLength) return []
  if (/\.pyi?$/u.test(path)) return pythonTraces(text)
  if (!/\.[cm]?[jt]sx?$/u.test(path)) return braceTraces(path, text) ?? scriptTraces(path, text)
  try {
    return javascriptTraces(path, text, written)
  } catch {
    // What does not parse does not run either.
    return []
  }
}

function keyOf({ rule, text }: Trace): string {
  return `${rule} ${text}`
}

function isTrade({ rule }: Trace, known: readonly Trace[]): boolean {
  return new Set(known.filter((trace) => trace.rule === rule).map(keyOf)).size >= minOfTrade
}

function withoutRepeats(traces: readonly Trace[]): readonly Trace[] {
  return [...new Map(traces.map((trace) => [keyOf(trace), trace])).values()]
}

function shadowing({ path, before, after }: FileChange): readonly TamperFinding[] {
  const module = before === null && after !== null ? shadowedModule(path) : undefined
  if (module === undefined) return []
  return [
    { rule: 'source.patches-runner', path, message: `Python loads it in the place of its own ${module}` },
  ]
}

const words: Readonly<Record<Trace['rule'], string>> = {
  'source.test-library': 'is a library for tests, loaded by the product',
  'source.patches-runner': 'changes what the check runs with',
  'source.equality-blind': 'compares without a look',
  'source.test-aware': 'asks whether it is tested',
  'source.unreadable': 'is loaded as code, where nobody reads it',
}

function findingOf(path: string, { rule, line, text, atMost }: Trace): TamperFinding {
  const quoted = text.length > 100 ? `${text.slice(0, 97)}...` : text
  const finding = { rule, path, line, message: `\`${quoted}\` ${words[rule]}` }
  return atMost === undefined ? finding : { ...finding, atMost }
}
