import type { TestCounts } from '@donecheck/core/internal/events/verdicts'
import { executedCount, redOf, unreadable, type Reading } from '../report.ts'

type Counts = Omit<TestCounts, 'total'>

const wordsOfStatus: Readonly<Record<keyof Counts, RegExp>> = {
  // Vitest reports `1 expected fail` as passed; cargo `measured` is a run benchmark.
  passed: /(\d+) (?:passed|passing|xpassed|expected|measured)\b/gi,
  failed:
    /(\d+) (?:failed|failing|failures)\b|\b(?:(?<!expected )failures|unexpected successes)[=:] ?(\d+)/gi,
  errored: /(\d+) errors?\b|\berrors[=:] ?(\d+)/gi,
  skipped:
    /(\d+) (?:skipped|todo|pending|xfailed|ignored)\b|\b(?:skipped|incomplete)[=:] ?(\d+)|(?<!un)expected failures[=:] ?(\d+)/gi,
}

/** Counts phrases such as `3 failed | 5 passed` or `failures=1`; ignores other words. */
function countsOfPhrases(text: string): Counts {
  const sum = (status: keyof Counts) =>
    [...text.matchAll(wordsOfStatus[status])].reduce(
      (total, [, ...counts]) => total + Number(counts.join('')),
      0,
    )
  return { passed: sum('passed'), failed: sum('failed'), errored: sum('errored'), skipped: sum('skipped') }
}

function sumOfCounts(all: readonly Counts[]): TestCounts {
  const sum = (status: keyof Counts) => all.reduce((total, counts) => total + counts[status], 0)
  const [passed, failed, errored, skipped] = [sum('passed'), sum('failed'), sum('errored'), sum('skipped')]
  return { passed, failed, errored, skipped, total: passed + failed + errored + skipped }
}

interface RunnerText {
  /** Printed at start; a summary always follows. */
  readonly begins?: RegExp
  /** Printed last. Groups are counts: a status, `total`, `outside` (of any test), `phrases`, `files`. */
  readonly ends: RegExp
  /** Printed instead if there is no test. */
  readonly none?: RegExp
  /** Shows that there were tests after all. */
  readonly unless?: RegExp
  /** Printed once per module or program; the counts are added. */
  readonly isSplit?: true
}

const runnerTexts = {
  /** ` Tests  1 failed | 2 passed (3)`, with ` Test Files …` before it and ` Errors  1 error` after it. */
  vitest: {
    ends: /^ *Test Files {2}(?<files>.+)\n *Tests {2}(?<phrases>.+)(?:\n *Type Errors {2}.+)?(?:\n *Errors {2}(?<outside>\d+) errors?)?/gm,
    none: /^ *No test files found, exiting with code [01]$/gm,
  },
  /** `Test Suites: 1 failed, 2 total` and `Tests:       1 failed, 2 passed, 3 total`. */
  jest: {
    ends: /^Test Suites: +(?<files>.+)\nTests: +(?<phrases>.+)\nSnapshots: /gm,
    none: /^No tests found, exiting with code [01]$/gm,
  },
  /** The lines `ℹ tests 3`, `ℹ pass 2` … of the spec reporter, or `# tests 3` … of the TAP reporter. */
  'node-test': {
    ends: /^[ℹ#] tests (?<total>\d+)\n[ℹ#] suites \d+\n[ℹ#] pass \d+\n[ℹ#] fail (?<failed>\d+)\n[ℹ#] cancelled (?<errored>\d+)\n[ℹ#] skipped (?<skipped>\d+)\n[ℹ#] todo (?<skippedTodo>\d+)$/gm,
  },
  /** `  3 passing (5ms)`, then `  1 pending` and `  2 failing` if any. */
  mocha: {
    ends: /^ {2}(?<passed>\d+) passing \([^)]*\)$(?:\n {2}(?<skipped>\d+) pending$)?(?:\n {2}(?<failed>\d+) failing$)?/gm,
  },
  /** `=== 1 failed, 3 passed in 0.65s ===`; with `-q` without the frame. */
  pytest: {
    begins: /={5,} test session starts ={5,}$/gm,
    ends: /^(?:=+ )?(?<phrases>(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+|no tests (?:ran|collected)) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm,
  },
  /** `Ran 5 tests in 0.001s`, an empty line, and `OK (skipped=1)`, `FAILED (failures=1, errors=1)` or `NO TESTS RAN`. */
  unittest: {
    ends: /^Ran (?<total>\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((?<phrases>[^()\n]*)\))?$/gm,
  },
  /** With `-v` the lines `--- PASS: TestName`; without it, only what failed. */
  go: {
    ends: /^(?:[ \t]*--- (?:(?<passed>PASS)|(?<failed>FAIL)|(?<skipped>SKIP)): \S+ \([\d.]+s\)|FAIL\t\S+ \[(?<errored>build|setup) failed\])$/gm,
    none: /^(?:ok {2}\t.*\[no tests to run\]|\? {3}\t.*\[no test files\])$/gm,
    unless: /^ok {2}\t(?!.*\[no tests to run\])/m,
    isSplit: true,
  },
  /** `test result: ok. 2 passed; 0 failed; 1 ignored; …`, one line for every test program. */
  cargo: {
    begins: /^running \d+ tests?$/gm,
    ends: /^test result: (?:ok|FAILED)\. (?<phrases>\d+ passed; \d+ failed; \d+ ignored; \d+ measured);/gm,
    isSplit: true,
  },
  /** `[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1`, without the lines of single classes. */
  surefire: {
    ends: /^(?:\[\w+\] )?(?:\[\w+\] )?Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errored>\d+), Skipped: (?<skipped>\d+)$/gm,
    none: /^(?:\[INFO\] )?(?:No tests to run\.|Tests are skipped\.)$/gm,
    isSplit: true,
  },
  /** `OK (3 tests, 5 assertions)`, `Tests: 3, Assertions: 5, Failures: 1, Risky: 1.`, or `No tests executed!`. */
  phpunit: {
    begins: /^PHPUnit \d\S* by Sebastian Bergmann and contributors\.$/gm,
    ends: /^(?:OK \((?<total>\d+) tests?, \d+ assertions?\)|Tests: (?<total>\d+), Assertions: \d+(?<phrases>.*)\.|No tests executed!)$/gm,
  },
  /** `5 examples, 1 failure, 1 pending`, with `, 1 error occurred outside of examples` if a file does not load. */
  rspec: {
    ends: /^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?(?:, (?<outside>\d+) errors? occurred outside of examples)?$/gm,
  },
  /** `2 runs, 2 assertions, 0 failures, 0 errors, 0 skips`; test-unit says `tests`, `pendings` and `omissions`. */
  minitest: {
    begins: /^(?:# Running:|Loaded suite .*\nStarted)$/gm,
    ends: /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errored>\d+) errors, (?<skipped>\d+) (?:skips|pendings, (?<skippedToo>\d+) omissions, \d+ notifications)$/gm,
  },
  /** `100% tests passed, 0 tests failed out of 3`. */
  ctest: {
    begins: /^Test project \/.*$/gm,
    ends: /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)$/gm,
    none: /^No tests were found!!!$/gm,
  },
  /** ` 1 pass`, ` 1 skip`, ` 0 fail`, and `Ran 2 tests across 1 file.`. */
  bun: {
    begins: /^bun test v\d\S* \(\w+\)$/gm,
    ends: /^ *(?<passed>\d+) pass$(?:\n *(?<skipped>\d+) skip$)?(?:\n *(?<skippedTodo>\d+) todo$)?\n *(?<failed>\d+) fail$[\s\S]{0,2000}?^Ran \d+ tests? across \d+ files?\. .*$/gm,
  },
  /** `Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: …`, one for every project. */
  dotnet: {
    ends: /^(?:Passed|Failed|Skipped)! +- Failed: +(?<failed>\d+), Passed: +\d+, Skipped: +(?<skipped>\d+), Total: +(?<total>\d+)/gm,
    isSplit: true,
  },
  /** `3 tests, 1 failure, 1 excluded, 1 skipped`, the tests of documentation before it. */
  exunit: {
    begins: /^Running ExUnit with seed: .*$/gm,
    ends: /^(?<total>(?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?), (?<failed>\d+) failures?(?<skipped>(?:, \d+ (?:excluded|invalid|skipped))*)$/gm,
    none: /^There are no tests to run$/gm,
  },
  /** The lines `Ok: 3`, `Expected Fail: 0`, `Fail: 1` …. */
  meson: {
    ends: /^Ok: +(?<passed>\d+) *\nExpected Fail: +(?<skippedExpected>\d+) *\nFail: +(?<failed>\d+) *\nUnexpected Pass: +(?<failedToo>\d+) *\nSkipped: +(?<skipped>\d+) *\nTimeout: +(?<errored>\d+) *$/gm,
    none: /^No (?:suitable )?tests defined\.$/gm,
  },
  /** `Files=2, Tests=5, …` and `Result: PASS`; `NOTESTS` also if all were skipped. */
  prove: {
    ends: /^Files=\d+, Tests=(?<total>\d+), .*\nResult: (?:PASS|(?<failed>FAIL)|NOTESTS)$/gm,
  },
  /** `a.test:	Total	2	Passed	1	Skipped	0	Failed	1`, with exit code 0. */
  tcltest: {
    ends: /^[\w.-]+:\tTotal\t(?<total>\d+)\tPassed\t\d+\tSkipped\t(?<skipped>\d+)\tFailed\t(?<failed>\d+)$/gm,
  },
  /** `ok | 1 passed | 0 failed (36ms)`. */
  deno: {
    begins: /^running \d+ tests? from \S+$/gm,
    ends: /^(?:ok|FAILED) \| (?<phrases>\d+ passed(?: \(\d+ steps?\))? \| \d+ failed(?: \(\d+ steps?\))?(?: \| \d+ \w+)*) \(.*\)$/gm,
  },
  /** The total excludes skipped tests. */
  uvu: { ends: /^ {2}Total: +(?<total>\d+)\n {2}Passed: +(?<passed>\d+)\n {2}Skipped: +(?<skipped>\d+)$/gm },
} satisfies Readonly<Record<string, RunnerText>>

function countsOfGroups(groups: Readonly<Record<string, string | undefined>>): TestCounts {
  const { phrases = '', files = '' } = groups
  const words = countsOfPhrases(phrases)
  const count = (name: string) =>
    Object.entries(groups).reduce(
      (sum, [key, text = '']) => sum + (key.startsWith(name) ? numberIn(text) : 0),
      0,
    )
  const [failed, errored] = [words.failed + count('failed'), words.errored + count('errored')]
  const skipped = words.skipped + count('skipped')
  const passed = words.passed + count('passed')
  const total = count('total')
  const isCrashed = countsOfPhrases(files).failed > 0 && failed === 0
  const outside = count('outside') + (isCrashed ? 1 : 0)
  if (groups['total'] === undefined)
    return sumOfCounts([{ passed, failed, errored: errored + outside, skipped }])
  if (groups['passed'] !== undefined)
    return sumOfCounts([{ passed, failed: total - passed, errored, skipped }])
  const rest = Math.max(0, total - failed - errored - skipped)
  return sumOfCounts([{ passed: rest, failed, errored: errored + outside, skipped }])
}

function numberIn(text: string): number {
  const numbers = text.match(/\d+/g)
  if (numbers === null) return text === '' ? 0 : 1
  return numbers.reduce((sum, one) => sum + Number(one), 0)
}

export type TextRunner = keyof typeof runnerTexts

interface Summary {
  readonly runner: TextRunner
  readonly at: number
  readonly counts: TestCounts
}

/** Reads counts from summaries: the last one of a single runner; of unknown runners all must pass. */
export function readText(output: string, runners: readonly TextRunner[] | undefined): Reading {
  const text = withoutColours(output)
  const found = summariesIn(text, runners ?? allRunners)
  const last = found.at(-1)
  if (last === undefined) return unreadable('no summary of a test runner that we know')
  const { isSplit }: RunnerText = runnerTexts[last.runner]
  const counted = found.filter((one) => {
    if (one === last || (isSplit === true && one.runner === last.runner)) return true
    return runners === undefined ? redOf(one.counts) === 0 : runners.length > 1
  })
  const counts = sumOfCounts(counted.map((summary) => summary.counts))
  if (executedCount(counts) === 0 && runners === undefined && !isNearEnd(text, last.at))
    return unreadable('what it prints last is no summary of a test runner that we know')
  return { kind: 'read', report: { format: 'text', counts, tests: [] } }
}

/** Returns a runner that started but printed no summary. */
export function unendedRunnerIn(output: string): TextRunner | undefined {
  const text = withoutColours(output)
  const lastEnd = summariesIn(text, allRunners).at(-1)?.at ?? -1
  return allRunners.find((runner) => {
    const { begins, isSplit }: RunnerText = runnerTexts[runner]
    const starts = begins === undefined ? [] : [...text.matchAll(begins)]
    const last = starts.at(-1)
    if (last === undefined) return false
    return last.index > lastEnd || (isSplit === true && starts.length > summariesOf(runner, text).length)
  })
}

const allRunners: readonly TextRunner[] = Object.keys(runnerTexts).filter(isTextRunner)

export function isTextRunner(runner: string): runner is TextRunner {
  return Object.hasOwn(runnerTexts, runner)
}

function summariesIn(text: string, runners: readonly TextRunner[]): readonly Summary[] {
  return [...new Set(runners)]
    .flatMap((runner) => summariesOf(runner, text))
    .sort((one, other) => one.at - other.at)
}

function summariesOf(runner: TextRunner, text: string): readonly Summary[] {
  const { ends, none, unless }: RunnerText = runnerTexts[runner]
  const found = [...text.matchAll(ends)].map(({ index, groups = {} }) => ({
    runner,
    at: index,
    counts: countsOfGroups(groups),
  }))
  if (found.length > 0 || none === undefined || unless?.test(text) === true) return found
  return [...text.matchAll(none)].map(({ index }) => ({ runner, at: index, counts: sumOfCounts([]) }))
}

/** Package managers and make print a few lines after the runner. */
const maxLinesAfter = 12

function isNearEnd(text: string, at: number): boolean {
  const lines = text.slice(at).split('\n')
  return lines.filter((line) => line.trim() !== '').length <= maxLinesAfter
}

/** Colours and other escape sequences of terminals. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** Strips escape sequences and ends every line with `\n`. */
function withoutColours(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}
