/** The summaries that runners print for people, one row a runner, and what they count. */
import type { TestCounts } from '@donecheck/core/verdicts'
import { type Reading, unreadable } from '../report.ts'

/** Every sum that a runner has printed. */
type ReadSums = (text: string) => readonly TestCounts[]

const readers = {
  /** ` Tests  1 failed | 2 passed (3)`, with ` Test Files …` before it and ` Errors  1 error` after it. */
  vitest: sums(
    /^ *Test Files {2}(.+)\n *Tests {2}(.+)(?:\n *Type Errors {2}.+)?(?:\n *Errors {2}(\d+) errors?)?/gm,
    (files = '', tests = '', errors = '') => ofFiles(files, tests, Number(errors)),
    /^ *No test files found, exiting with code [01]$/m,
  ),
  /** `Test Suites: 1 failed, 2 total` and `Tests:       1 failed, 2 passed, 3 total`. */
  jest: sums(
    /^Test Suites: +(.+)\nTests: +(.+)\nSnapshots: /gm,
    (suites = '', tests = '') => ofFiles(suites, tests, 0),
    /^No tests found, exiting with code [01]$/m,
  ),
  /** The lines `ℹ tests 3`, `ℹ pass 2` … of the spec reporter, or `# tests 3` … of the TAP reporter. */
  'node-test': sums(
    /^[ℹ#] tests (\d+)\n[ℹ#] suites \d+\n[ℹ#] pass \d+\n[ℹ#] fail (\d+)\n[ℹ#] cancelled (\d+)\n[ℹ#] skipped (\d+)\n[ℹ#] todo (\d+)$/gm,
    (total, failed, cancelled, skipped, todo) =>
      ofTotal(total, { failed, errored: cancelled, skipped: Number(skipped) + Number(todo) }),
  ),
  /** `  3 passing (5ms)`, then `  1 pending` and `  2 failing` where there are such. */
  mocha: sums(
    /^ {2}(\d+ passing) \([^)]*\)$(?:\n {2}(\d+ pending)$)?(?:\n {2}(\d+ failing)$)?/gm,
    (...phrases) => ofPhrases(phrases.join(' ')),
  ),
  /** `=== 1 failed, 3 passed in 0.65s ===`; with `-q` without the frame. */
  pytest: sums(
    /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm,
    (phrases = '') => ofPhrases(phrases),
  ),
  /**
   * `Ran 5 tests in 0.001s`, an empty line, and `OK`, `OK (skipped=1, expected failures=1)`,
   * `FAILED (failures=1, errors=1, unexpected successes=1)` or `NO TESTS RAN`; other runners of Python say the same. What
   * is expected to fail and does proves nothing.
   */
  unittest: sums(
    /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \(([^()\n]*)\))?$/gm,
    (total, rest = '') => {
      const after = (words: string) => Number(new RegExp(`(?:^|, )${words}=(\\d+)`).exec(rest)?.[1] ?? 0)
      const failed = after('failures') + after('unexpected successes')
      const skipped = after('skipped') + after('expected failures')
      return ofTotal(total, { failed, errored: after('errors'), skipped })
    },
  ),
  go: readGo,
  /** `test result: ok. 2 passed; 0 failed; 1 ignored; …`, one line for every test program. */
  cargo: sums(/^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored);/gm, (phrases = '') =>
    ofPhrases(phrases),
  ),
  /** `[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1`, without the lines of single classes. One for every module. */
  surefire: sums(
    /^(?:\[\w+\] )?(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/gm,
    (total, failed, errored, skipped) => ofTotal(total, { failed, errored, skipped }),
  ),
  /** `OK (3 tests, 5 assertions)`, or `Tests: 3, Assertions: 5, Failures: 1, Errors: 1, Skipped: 1.`, or `No tests executed!`. */
  phpunit: sums(
    /^(?:OK \((\d+) tests?, \d+ assertions?\)|Tests: (\d+), Assertions: \d+(.*)\.|No tests executed!)$/gm,
    (fine = '', total = '', rest = '') => {
      const after = (word: string) => Number(new RegExp(`\\b${word}: (\\d+)`).exec(rest)?.[1] ?? 0)
      const skipped = after('Skipped') + after('Incomplete')
      return ofTotal(fine || total, { failed: after('Failures'), errored: after('Errors'), skipped })
    },
  ),
  /** `5 examples, 1 failure, 1 pending`, with `, 1 error occurred outside of examples` where a file does not load. */
  rspec: sums(
    /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/gm,
    (total, failed, skipped, errors) => withErrors(ofTotal(total, { failed, skipped }), Number(errors)),
  ),
  /** `Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: …`, one line for every test project. */
  dotnet: sums(
    /^(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +\d+, Skipped: +(\d+), Total: +(\d+)/gm,
    (failed, skipped, total) => ofTotal(total, { failed, skipped }),
  ),
} satisfies Readonly<Record<string, ReadSums>>

/** The runners whose summary for people we can read. */
export type TextRunner = keyof typeof readers

/** They say a sum for every module or program. Of the others the last one counts: what stands before may be the words of a test. */
const manySums: readonly TextRunner[] = ['go', 'cargo', 'surefire', 'dotnet']

/** @param countsOf of what the groups have found; empty where they found nothing @param none says that there was no test at all */
function sums(
  pattern: RegExp,
  countsOf: (...groups: readonly string[]) => TestCounts,
  none?: RegExp,
): ReadSums {
  return (text) => {
    const found = [...text.matchAll(pattern)].map((match) => {
      const groups: readonly (string | undefined)[] = match.slice(1)
      return countsOf(...groups.map((group) => group ?? ''))
    })
    return found.length === 0 && none?.test(text) === true ? [withTotal({})] : found
  }
}

/**
 * With `-v`: the lines `--- PASS: TestName`. Without, it is not told how many tests passed: then there is no summary,
 * except where no package has any.
 */
function readGo(text: string): readonly TestCounts[] {
  const countOf = (pattern: RegExp) => [...text.matchAll(pattern)].length
  const okay = [...text.matchAll(/^ok {2}\t\S+\t(.*)$/gm)].map(([, rest = '']) => rest)
  const untested = countOf(/^\? {3}\t\S+\t\[no test files\]$/gm)
  const hasNone =
    okay.length + untested > 0 &&
    okay.every((rest) => rest.includes('[no tests to run]')) &&
    !/^FAIL\b/m.test(text)
  if (!hasNone && !/^=== RUN /m.test(text)) return []
  const counts = {
    passed: countOf(/^[ \t]*--- PASS: \S+ \([\d.]+s\)$/gm),
    failed: countOf(/^[ \t]*--- FAIL: \S+ \([\d.]+s\)$/gm),
    skipped: countOf(/^[ \t]*--- SKIP: \S+ \([\d.]+s\)$/gm),
    errored: countOf(/^FAIL\t\S+ \[(?:build|setup) failed\]$/gm),
  }
  return [withTotal(counts)]
}

type Counts = Omit<TestCounts, 'total'>

/** Words of the runners for the four statuses. What is expected to fail and does counts as skipped: it proves nothing. */
const wordsOfStatus: Readonly<Record<keyof Counts, RegExp>> = {
  // Vitest says `1 expected fail` and reports it as passed.
  passed: /(\d+) (?:passed|passing|xpassed|expected)\b/gi,
  failed: /(\d+) (?:failed|failing|failures)\b/gi,
  errored: /(\d+) errors?\b/gi,
  skipped: /(\d+) (?:skipped|todo|pending|xfailed|ignored)\b/gi,
}

/** Counts from phrases such as `3 failed | 5 passed`; words that are no status are left out. */
function ofPhrases(text: string): TestCounts {
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

/** Files that failed although no test did could not be loaded. */
function ofFiles(files: string, tests: string, errors: number): TestCounts {
  const counts = ofPhrases(tests)
  const isCrashed = ofPhrases(files).failed > 0 && counts.failed === 0
  return withErrors(counts, errors + (isCrashed ? 1 : 0))
}

function withErrors(counts: TestCounts, errored: number): TestCounts {
  return { ...counts, errored, total: counts.total + errored }
}

/** Counts where the runner tells the total in place of the passed ones. */
function ofTotal(total: unknown, others: Readonly<Partial<Record<keyof Counts, unknown>>>): TestCounts {
  const { failed = 0, errored = 0, skipped = 0 } = others
  const [red, broken, left] = [Number(failed), Number(errored), Number(skipped)]
  return withTotal({
    passed: Math.max(0, Number(total) - red - broken - left),
    failed: red,
    errored: broken,
    skipped: left,
  })
}

function sumOfCounts(all: readonly TestCounts[]): TestCounts {
  const sum = (status: keyof Counts) => all.reduce((total, counts) => total + counts[status], 0)
  return withTotal({
    passed: sum('passed'),
    failed: sum('failed'),
    errored: sum('errored'),
    skipped: sum('skipped'),
  })
}

function withTotal({ passed = 0, failed = 0, errored = 0, skipped = 0 }: Partial<Counts>): TestCounts {
  return { passed, failed, errored, skipped, total: passed + failed + errored + skipped }
}

/**
 * Counts out of the summary that a runner prints for people: the weakest of our sources, since a test can print the
 * same words. `runner`: the one that is known to have run once, of which the last sum counts; undefined: whoever
 * has run, how often so ever, and all sums are added.
 */
export function readText(output: string, runner: TextRunner | undefined): Reading {
  const text = withoutColours(output)
  if (runner !== undefined) return readingOfParts(partsOf(runner, text).slice(-1))
  return readingOfParts(
    Object.keys(readers)
      .filter(isTextRunner)
      .flatMap((each) => partsOf(each, text)),
  )
}

/** The same, where one runner has run several times. */
export function readTextOfEach(output: string, runner: TextRunner): Reading {
  return readingOfParts(partsOf(runner, withoutColours(output)))
}

export function isTextRunner(runner: string): runner is TextRunner {
  return Object.hasOwn(readers, runner)
}

/** One for each run of a runner; what says a sum for every module or program is one run. */
function partsOf(runner: TextRunner, text: string): readonly TestCounts[] {
  const counts = readers[runner](text)
  return manySums.includes(runner) && counts.length > 0 ? [sumOfCounts(counts)] : counts
}

function readingOfParts(parts: readonly TestCounts[]): Reading {
  if (parts.length === 0) return unreadable('no summary of a test runner that we know')
  const report = { format: 'text', counts: sumOfCounts(parts), tests: [] }
  return { kind: 'read', report: parts.length === 1 ? report : { ...report, parts } }
}

/** Colours and other escape sequences of terminals. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** A text as it would be read, with `\n` at the end of every line. */
export function withoutColours(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}
