import type { TestCounts } from '@donecheck/core/verdicts'

/** The runners whose summary for people we can read. */
export type TextRunner =
  | 'vitest'
  | 'jest'
  | 'node-test'
  | 'mocha'
  | 'pytest'
  | 'unittest'
  | 'go'
  | 'cargo'
  | 'surefire'
  | 'phpunit'
  | 'rspec'
  | 'dotnet'

/** One summary: where in the text it ends, and what it counts. */
export interface Summary {
  readonly runner: TextRunner
  readonly counts: TestCounts
}

/** Words of the runners for the four statuses. What is expected to fail and does counts as skipped: it proves nothing. */
const statusOfWord: Readonly<Record<string, keyof Omit<TestCounts, 'total'>>> = {
  passed: 'passed',
  passing: 'passed',
  xpassed: 'passed',
  // Vitest says `1 expected fail` and reports it as passed.
  expected: 'passed',
  failed: 'failed',
  failing: 'failed',
  failures: 'failed',
  error: 'errored',
  errors: 'errored',
  skipped: 'skipped',
  todo: 'skipped',
  pending: 'skipped',
  xfailed: 'skipped',
  ignored: 'skipped',
}

/** Counts from phrases such as `3 failed | 5 passed`; words that are no status are left out. */
export function countsOfPhrases(text: string): TestCounts {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  for (const [, count, word] of text.matchAll(/(\d+) ([a-z]+)/gi)) {
    const status = statusOfWord[word?.toLowerCase() ?? '']
    if (status !== undefined) counts[status] += Number(count)
  }
  return withTotal(counts)
}

/** Counts where the runner tells the total in place of the passed ones. */
export function countsOfTotal(total: number, failed: number, errored: number, skipped: number): TestCounts {
  return withTotal({ passed: Math.max(0, total - failed - errored - skipped), failed, errored, skipped })
}

export function sumOfCounts(all: readonly TestCounts[]): TestCounts {
  const sum = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  for (const { passed, failed, errored, skipped } of all) {
    sum.passed += passed
    sum.failed += failed
    sum.errored += errored
    sum.skipped += skipped
  }
  return withTotal(sum)
}

function withTotal(counts: Omit<TestCounts, 'total'>): TestCounts {
  const { passed, failed, errored, skipped } = counts
  return { ...counts, total: passed + failed + errored + skipped }
}
