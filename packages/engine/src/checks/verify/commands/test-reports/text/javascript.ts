import { countsOfPhrases, countsOfTotal, type Summary } from './summary.ts'

/** ` Tests  1 failed | 2 passed (3)`, with ` Test Files …` before it and ` Errors  1 error` after it. */
export function vitestSummaries(text: string): Summary[] {
  const blocks = text.matchAll(
    /^ *Test Files {2}(.+)\n *Tests {2}(.+)(?:\n *Type Errors {2}.+)?(?:\n *Errors {2}(\d+) errors?)?/gm,
  )
  const counted = [...blocks].map(([, files = '', tests = '', errors]): Summary => {
    const counts = countsOfPhrases(tests)
    const isCrashed = countsOfPhrases(files).failed > 0 && counts.failed === 0
    const errored = Number(errors ?? 0) + (isCrashed ? 1 : 0)
    return { runner: 'vitest', counts: { ...counts, errored, total: counts.total + errored } }
  })
  const hasNone = counted.length === 0 && /^ *No test files found, exiting with code [01]$/m.test(text)
  return hasNone ? [{ runner: 'vitest', counts: countsOfPhrases('') }] : counted
}

/** `Test Suites: 1 failed, 2 total` and `Tests:       1 failed, 2 passed, 3 total`. */
export function jestSummaries(text: string): Summary[] {
  const blocks = text.matchAll(/^Test Suites: +(.+)\nTests: +(.+)\nSnapshots: /gm)
  const counted = [...blocks].map(([, suites = '', tests = '']): Summary => {
    const counts = countsOfPhrases(tests)
    const isCrashed = countsOfPhrases(suites).failed > 0 && counts.failed === 0
    return { runner: 'jest', counts: isCrashed ? { ...counts, errored: 1, total: counts.total + 1 } : counts }
  })
  const hasNone = counted.length === 0 && /^No tests found, exiting with code [01]$/m.test(text)
  return hasNone ? [{ runner: 'jest', counts: countsOfPhrases('') }] : counted
}

/** The lines `ℹ tests 3`, `ℹ pass 2` … of the spec reporter, or `# tests 3` … of the TAP reporter. */
export function nodeTestSummaries(text: string): Summary[] {
  const blocks = text.matchAll(
    /^[ℹ#] tests (\d+)\n[ℹ#] suites \d+\n[ℹ#] pass (\d+)\n[ℹ#] fail (\d+)\n[ℹ#] cancelled (\d+)\n[ℹ#] skipped (\d+)\n[ℹ#] todo (\d+)$/gm,
  )
  return [...blocks].map((block): Summary => {
    const [total = 0, , failed = 0, cancelled = 0, skipped = 0, todo = 0] = block.slice(1).map(Number)
    return { runner: 'node-test', counts: countsOfTotal(total, failed, cancelled, skipped + todo) }
  })
}

/** `  3 passing (5ms)`, then `  1 pending` and `  2 failing` where there are such. */
export function mochaSummaries(text: string): Summary[] {
  const blocks = text.matchAll(
    /^ {2}(\d+ passing) \([^)]*\)$(?:\n {2}(\d+ pending)$)?(?:\n {2}(\d+ failing)$)?/gm,
  )
  return [...blocks].map((block) => ({ runner: 'mocha', counts: countsOfPhrases(block.slice(1).join(' ')) }))
}
