import { countsOfPhrases, countsOfTotal, sumOfCounts, type Summary } from './summary.ts'

/** `=== 1 failed, 3 passed in 0.65s ===`; with `-q` without the frame. */
export function pytestSummaries(text: string): Summary[] {
  const lines = text.matchAll(
    /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm,
  )
  return [...lines].map(([, phrases = '']) => ({ runner: 'pytest', counts: countsOfPhrases(phrases) }))
}

/**
 * With `-v`: the lines `--- PASS: TestName`. Without, it is not told how many tests passed: then there is no summary,
 * except where no package has any.
 */
export function goSummaries(text: string): Summary[] {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  for (const [, word] of text.matchAll(/^[ \t]*--- (PASS|FAIL|SKIP): \S+ \([\d.]+s\)$/gm))
    counts[word === 'PASS' ? 'passed' : word === 'FAIL' ? 'failed' : 'skipped'] += 1
  counts.errored = [...text.matchAll(/^FAIL\t\S+ \[(?:build|setup) failed\]$/gm)].length
  const okay = [...text.matchAll(/^ok {2}\t\S+\t(.*)$/gm)].map(([, rest = '']) => rest)
  const untested = [...text.matchAll(/^\? {3}\t\S+\t\[no test files\]$/gm)].length
  const isVerbose = /^=== RUN /m.test(text)
  const hasNone = okay.length + untested > 0 && okay.every(hasNoTests) && !/^FAIL\b/m.test(text)
  return isVerbose || hasNone ? [{ runner: 'go', counts: sumOfCounts([{ ...counts, total: 0 }]) }] : []
}

function hasNoTests(rest: string): boolean {
  return rest.includes('[no tests to run]')
}

/** `test result: ok. 2 passed; 0 failed; 1 ignored; …`, one line for every test program. */
export function cargoSummaries(text: string): Summary[] {
  const lines = text.matchAll(/^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored);/gm)
  return [...lines].map(([, phrases = '']) => ({ runner: 'cargo', counts: countsOfPhrases(phrases) }))
}

/** `[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1`, without the lines of single classes. One for every module. */
export function surefireSummaries(text: string): Summary[] {
  const lines = text.matchAll(
    /^(?:\[\w+\] )?(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/gm,
  )
  return [...lines].map((line): Summary => {
    const [total = 0, failed = 0, errored = 0, skipped = 0] = line.slice(1).map(Number)
    return { runner: 'surefire', counts: countsOfTotal(total, failed, errored, skipped) }
  })
}

/** `OK (3 tests, 5 assertions)`, or `Tests: 3, Assertions: 5, Failures: 1, Errors: 1, Skipped: 1.` */
export function phpunitSummaries(text: string): Summary[] {
  const fine = [...text.matchAll(/^OK \((\d+) tests?, \d+ assertions?\)$/gm)].map(([, total]): Summary => {
    return { runner: 'phpunit', counts: countsOfTotal(Number(total), 0, 0, 0) }
  })
  const others = [...text.matchAll(/^Tests: (\d+), Assertions: \d+(.*)\.$/gm)].map(
    ([, total, rest = '']): Summary => {
      const countAfter = (word: string) => Number(new RegExp(`\\b${word}: (\\d+)`).exec(rest)?.[1] ?? 0)
      const skipped = countAfter('Skipped') + countAfter('Incomplete')
      return {
        runner: 'phpunit',
        counts: countsOfTotal(Number(total), countAfter('Failures'), countAfter('Errors'), skipped),
      }
    },
  )
  const none: Summary[] = /^No tests executed!$/m.test(text)
    ? [{ runner: 'phpunit', counts: sumOfCounts([]) }]
    : []
  return [...fine, ...others, ...none]
}

/** `5 examples, 1 failure, 1 pending`, with `, 1 error occurred outside of examples` where a file does not load. */
export function rspecSummaries(text: string): Summary[] {
  const lines = text.matchAll(
    /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/gm,
  )
  return [...lines].map((line): Summary => {
    const [total = 0, failed = 0, pending = 0, errors = 0] = line
      .slice(1)
      .map((count) => Number((count as string | undefined) ?? 0))
    const counts = countsOfTotal(total, failed, 0, pending)
    return { runner: 'rspec', counts: { ...counts, errored: errors, total: counts.total + errors } }
  })
}

/** `Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: …`, one line for every test project. */
export function dotnetSummaries(text: string): Summary[] {
  const lines = text.matchAll(
    /^(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +(\d+)/gm,
  )
  return [...lines].map((line): Summary => {
    const [failed = 0, , skipped = 0, total = 0] = line.slice(1).map(Number)
    return { runner: 'dotnet', counts: countsOfTotal(total, failed, 0, skipped) }
  })
}

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
    const countAfter = (words: string) => Number(new RegExp(`(?:^|, )${words}=(\\d+)`).exec(rest)?.[1] ?? 0)
    const failed = countAfter('failures') + countAfter('unexpected successes')
    const skipped = countAfter('skipped') + countAfter('expected failures')
    return { runner: 'unittest', counts: countsOfTotal(Number(total), failed, countAfter('errors'), skipped) }
  })
}
