import type { TestCounts } from '@donecheck/core/verdicts'

type Counts = Omit<TestCounts, 'total'>

/** Words of the runners for the four statuses. What is expected to fail and does counts as skipped: it proves nothing. */
const wordsOfStatus: Readonly<Record<keyof Counts, RegExp>> = {
  // Vitest says `1 expected fail` and reports it as passed; cargo measures what it runs as a benchmark.
  passed: /(\d+) (?:passed|passing|xpassed|expected|measured)\b/gi,
  failed: /(\d+) (?:failed|failing|failures)\b/gi,
  errored: /(\d+) errors?\b/gi,
  skipped: /(\d+) (?:skipped|todo|pending|xfailed|ignored)\b/gi,
}

/** Counts from phrases such as `3 failed | 5 passed`; words that are no status are left out. */
export function countsOfPhrases(text: string): TestCounts {
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  const { passed, failed, errored, skipped } = wordsOfStatus
  return withTotal({
    passed: sum(passed),
    failed: sum(failed),
    errored: sum(errored),
    skipped: sum(skipped),
  })
}

/** Adds failures outside of any test. */
export function withErrors(counts: TestCounts, errored: number): TestCounts {
  return { ...counts, errored, total: counts.total + errored }
}

/** Counts where the runner tells the total in place of the passed ones. */
export function countsOfTotal(
  total: unknown,
  others: Readonly<Partial<Record<keyof Counts, unknown>>>,
): TestCounts {
  const { failed = 0, errored = 0, skipped = 0 } = others
  const [red, broken, left] = [Number(failed), Number(errored), Number(skipped)]
  return withTotal({
    passed: Math.max(0, Number(total) - red - broken - left),
    failed: red,
    errored: broken,
    skipped: left,
  })
}

export function sumOfCounts(all: readonly TestCounts[]): TestCounts {
  const sum = (status: keyof Counts) => all.reduce((total, counts) => total + counts[status], 0)
  return withTotal({
    passed: sum('passed'),
    failed: sum('failed'),
    errored: sum('errored'),
    skipped: sum('skipped'),
  })
}

export function withTotal({ passed = 0, failed = 0, errored = 0, skipped = 0 }: Partial<Counts>): TestCounts {
  return { passed, failed, errored, skipped, total: passed + failed + errored + skipped }
}
