/** The lines with which runners start and end, one row a runner. A line that a test may print too is worth nothing here. */
import type { TestCounts } from '@donecheck/core/verdicts'
import { countsOfPhrases, countsOfTotal, withErrors, withTotal } from './counts.ts'

export interface RunnerText {
  /** A line that it prints once before the first test. */
  readonly begins?: RegExp
  /** What it prints last. */
  readonly ends: RegExp
  /** Reads the groups of `ends`; a group that is missing is empty. */
  readonly countsOf: (...groups: readonly string[]) => TestCounts
  /** A line for tests that passed and are not counted. */
  readonly uncounted?: RegExp
  /** What it prints instead if there is no test. */
  readonly none?: RegExp
  /** One summary for every module or program, which are added. */
  readonly isSplit?: true
}

export const runnerTexts = {
  /** ` Tests  1 failed | 2 passed (3)`, with ` Test Files …` before it and ` Errors  1 error` after it. */
  vitest: {
    ends: /^ *Test Files {2}(.+)\n *Tests {2}(.+)(?:\n *Type Errors {2}.+)?(?:\n *Errors {2}(\d+) errors?)?/gm,
    countsOf: (files = '', tests = '', errors = '') => countsOfFiles(files, tests, Number(errors)),
    none: /^ *No test files found, exiting with code [01]$/gm,
  },
  /** `Test Suites: 1 failed, 2 total` and `Tests:       1 failed, 2 passed, 3 total`. */
  jest: {
    ends: /^Test Suites: +(.+)\nTests: +(.+)\nSnapshots: /gm,
    countsOf: (suites = '', tests = '') => countsOfFiles(suites, tests, 0),
    none: /^No tests found, exiting with code [01]$/gm,
  },
  /** The lines `ℹ tests 3`, `ℹ pass 2` … of the spec reporter, or `# tests 3` … of the TAP reporter. */
  'node-test': {
    ends: /^[ℹ#] tests (\d+)\n[ℹ#] suites \d+\n[ℹ#] pass \d+\n[ℹ#] fail (\d+)\n[ℹ#] cancelled (\d+)\n[ℹ#] skipped (\d+)\n[ℹ#] todo (\d+)$/gm,
    countsOf: (total, failed, cancelled, skipped, todo) =>
      countsOfTotal(total, { failed, errored: cancelled, skipped: Number(skipped) + Number(todo) }),
  },
  /** `  3 passing (5ms)`, then `  1 pending` and `  2 failing` where there are such. */
  mocha: {
    ends: /^ {2}(\d+ passing) \([^)]*\)$(?:\n {2}(\d+ pending)$)?(?:\n {2}(\d+ failing)$)?/gm,
    countsOf: (...phrases) => countsOfPhrases(phrases.join(' ')),
  },
  /** `=== 1 failed, 3 passed in 0.65s ===`; with `-q` without the frame. */
  pytest: {
    begins: /={5,} test session starts ={5,}$/gm,
    ends: /^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+|no tests (?:ran|collected)) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm,
    countsOf: (phrases = '') => countsOfPhrases(phrases),
  },
  /** `Ran 5 tests in 0.001s`, an empty line, and `OK (skipped=1)`, `FAILED (failures=1, errors=1)` or `NO TESTS RAN`. */
  unittest: {
    ends: /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \(([^()\n]*)\))?$/gm,
    countsOf: (total, rest = '') => {
      const after = (words: string) => Number(new RegExp(`(?:^|, )${words}=(\\d+)`).exec(rest)?.[1] ?? 0)
      const failed = after('failures') + after('unexpected successes')
      const skipped = after('skipped') + after('expected failures')
      return countsOfTotal(total, { failed, errored: after('errors'), skipped })
    },
  },
  /** With `-v` the lines `--- PASS: TestName`; without it, how many tests passed is not known. */
  go: {
    ends: /^(?:[ \t]*--- (?:(PASS)|(FAIL)|(SKIP)): \S+ \([\d.]+s\)|FAIL\t\S+ (\[(?:build|setup) failed\])|ok {2}\t\S+\t.*\[no tests to run\]|\? {3}\t\S+\t\[no test files\])$/gm,
    countsOf: (...groups) => {
      const [passed = 0, failed = 0, skipped = 0, errored = 0] = groups.map((group) => (group === '' ? 0 : 1))
      return withTotal({ passed, failed, skipped, errored })
    },
    uncounted: /^ok {2}\t\S+\t(?!.*\[no tests to run\]).*$/m,
    isSplit: true,
  },
  /** `test result: ok. 2 passed; 0 failed; 1 ignored; …`, one line for every test program. */
  cargo: {
    begins: /^running \d+ tests?$/gm,
    ends: /^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored; \d+ measured);/gm,
    countsOf: (phrases = '') => countsOfPhrases(phrases),
    isSplit: true,
  },
  /** `[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1`, without the lines of single classes. */
  surefire: {
    ends: /^(?:\[\w+\] )?(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/gm,
    countsOf: (total, failed, errored, skipped) => countsOfTotal(total, { failed, errored, skipped }),
    none: /^(?:\[INFO\] )?(?:No tests to run\.|Tests are skipped\.)$/gm,
    isSplit: true,
  },
  /** `OK (3 tests, 5 assertions)`, `Tests: 3, Assertions: 5, Failures: 1, Risky: 1.`, or `No tests executed!`. */
  phpunit: {
    begins: /^PHPUnit \d\S* by Sebastian Bergmann and contributors\.$/gm,
    ends: /^(?:OK \((\d+) tests?, \d+ assertions?\)|Tests: (\d+), Assertions: \d+(.*)\.|No tests executed!)$/gm,
    countsOf: (fine = '', total = '', rest = '') => {
      const after = (word: string) => Number(new RegExp(`\\b${word}: (\\d+)`).exec(rest)?.[1] ?? 0)
      const skipped = after('Skipped') + after('Incomplete')
      return countsOfTotal(fine || total, { failed: after('Failures'), errored: after('Errors'), skipped })
    },
  },
  /** `5 examples, 1 failure, 1 pending`, with `, 1 error occurred outside of examples` where a file does not load. */
  rspec: {
    ends: /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/gm,
    countsOf: (total, failed, skipped, errors) =>
      withErrors(countsOfTotal(total, { failed, skipped }), Number(errors)),
  },
  /** `2 runs, 2 assertions, 0 failures, 0 errors, 0 skips`; test-unit says `tests`, `pendings` and `omissions`. */
  minitest: {
    begins: /^(?:# Running:|Loaded suite .*\nStarted)$/gm,
    ends: /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) (?:skips|pendings, (\d+) omissions, \d+ notifications)$/gm,
    countsOf: (total, failed, errored, skipped, omitted) =>
      countsOfTotal(total, { failed, errored, skipped: Number(skipped) + Number(omitted) }),
  },
  /** `3 tests, 1 failure, 1 excluded, 1 skipped`, the tests of documentation before it. */
  exunit: {
    begins: /^Running ExUnit with seed: .*$/gm,
    ends: /^((?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?), (\d+) failures?((?:, \d+ (?:excluded|invalid|skipped))*)$/gm,
    countsOf: (kinds = '', failed = '', rest = '') => {
      const sum = (text: string) => (text.match(/\d+/g) ?? []).reduce((total, one) => total + Number(one), 0)
      return countsOfTotal(sum(kinds), { failed, skipped: sum(rest) })
    },
    none: /^There are no tests to run$/gm,
  },
  /** `100% tests passed, 0 tests failed out of 3`. */
  ctest: {
    begins: /^Test project \/.*$/gm,
    ends: /^\d+% tests passed, (\d+) tests? failed out of (\d+)$/gm,
    countsOf: (failed, total) => countsOfTotal(total, { failed }),
    none: /^No tests were found!!!$/gm,
  },
  /** The lines `Ok: 3`, `Expected Fail: 0`, `Fail: 1` …. */
  meson: {
    ends: /^Ok: +(\d+) *\nExpected Fail: +(\d+) *\nFail: +(\d+) *\nUnexpected Pass: +(\d+) *\nSkipped: +(\d+) *\nTimeout: +(\d+) *$/gm,
    countsOf: (passed, expected, failed, unexpected, skipped, late) =>
      withTotal({
        ...{ passed: Number(passed), failed: Number(failed) + Number(unexpected) },
        ...{ errored: Number(late), skipped: Number(skipped) + Number(expected) },
      }),
    none: /^No (?:suitable )?tests defined\.$/gm,
  },
  /** `Files=2, Tests=5, …` and `Result: PASS`; `NOTESTS` where all were skipped too. */
  prove: {
    ends: /^Files=\d+, Tests=(\d+), .*\nResult: (PASS|FAIL|NOTESTS)$/gm,
    countsOf: (total, result) => countsOfTotal(total, { failed: result === 'FAIL' ? 1 : 0 }),
  },
  /** `a.test:	Total	2	Passed	1	Skipped	0	Failed	1`, with exit code 0. */
  tcltest: {
    ends: /^[\w.-]+:\tTotal\t(\d+)\tPassed\t\d+\tSkipped\t(\d+)\tFailed\t(\d+)$/gm,
    countsOf: (total, skipped, failed) => countsOfTotal(total, { skipped, failed }),
  },
  /** `ok | 1 passed | 0 failed (36ms)`. */
  deno: {
    begins: /^running \d+ tests? from \S+$/gm,
    ends: /^(?:ok|FAILED) \| (\d+ passed(?: \(\d+ steps?\))? \| \d+ failed(?: \(\d+ steps?\))?(?: \| \d+ \w+)*) \(.*\)$/gm,
    countsOf: (phrases = '') => countsOfPhrases(phrases.replaceAll(/\(\d+ steps?\)/g, '')),
  },
  /** ` 1 pass`, ` 1 skip`, ` 0 fail`, and `Ran 2 tests across 1 file.`. */
  bun: {
    begins: /^bun test v\d\S* \(\w+\)$/gm,
    ends: /^ *(\d+) pass$(?:\n *(\d+) skip$)?(?:\n *(\d+) todo$)?\n *(\d+) fail$[\s\S]{0,2000}?^Ran \d+ tests? across \d+ files?\. .*$/gm,
    countsOf: (passed, skipped, todo, failed) =>
      withTotal({
        ...{ passed: Number(passed), failed: Number(failed) },
        skipped: Number(skipped) + Number(todo),
      }),
  },
  /** `  Total:     3`, `  Passed:    3`, `  Skipped:   0`. */
  uvu: {
    ends: /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm,
    countsOf: (total, passed, skipped) =>
      withTotal({
        ...{ passed: Number(passed), failed: Number(total) - Number(passed) },
        skipped: Number(skipped),
      }),
  },
  /** `Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: …`, one for every project. */
  dotnet: {
    ends: /^(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +\d+, Skipped: +(\d+), Total: +(\d+)/gm,
    countsOf: (failed, skipped, total) => countsOfTotal(total, { failed, skipped }),
    isSplit: true,
  },
} satisfies Readonly<Record<string, RunnerText>>

/** Files that failed although no test did could not be loaded. */
function countsOfFiles(files: string, tests: string, errors: number): TestCounts {
  const counts = countsOfPhrases(tests)
  const isCrashed = countsOfPhrases(files).failed > 0 && counts.failed === 0
  return withErrors(counts, errors + (isCrashed ? 1 : 0))
}
