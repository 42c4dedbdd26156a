import { countsOfTotal, type Summary } from './summary.ts'

/**
 * `Ran 5 tests in 0.001s`, an empty line, and `OK`, `OK (skipped=1, expected failures=1)`,
 * `FAILED (failures=1, errors=1, unexpected successes=1)` or `NO TESTS RAN`; other runners of Python say the same. What
 * is expected to fail and does proves nothing.
 */
export function unittestSummaries(text: string): Summary[] {
  const blocks = text.matchAll(
    /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \(([^()\n]*)\))?$/gm,
  )
  return [...blocks].map(([, total, rest = '']): Summary => {
    const said = (words: string) => Number(new RegExp(`(?:^|, )${words}=(\\d+)`).exec(rest)?.[1] ?? 0)
    const failed = said('failures') + said('unexpected successes')
    const skipped = said('skipped') + said('expected failures')
    return { runner: 'unittest', counts: countsOfTotal(Number(total), failed, said('errors'), skipped) }
  })
}
