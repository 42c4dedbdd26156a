/** What the output of a test runner says of the tests: the words of many runners, in one place. */

/** `nothing-ran`: there was no test to run. `not-started`: there is no such runner. `unknown`: the output does not say. */
export type TestResult = 'passed' | 'failed' | 'nothing-ran' | 'not-started' | 'unknown'

/** Of a long output the end is where a runner sums up. */
const readCharacters = 20_000
/** Whoever finds no runner says no more than that. */
const shortAnswer = 400

const nothingRan =
  /\bno tests? (?:ran|found|were found|to run|files? found)\b|\bcollected 0 items\b|^Ran 0 tests\b|^Tests?:\s+0 total|^running 0 tests$(?![\s\S]*^running [1-9])|\bError: no test specified\b|^0 passing\b|no test files\]$/im
const failed: readonly RegExp[] = [
  /^=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+$/m,
  /^FAILED \((?:failures|errors|unexpected successes)=/m,
  /^FAILED\b.*::/m,
  /^(?:E\s+)?(?:ImportError|ModuleNotFoundError) while (?:importing|loading)\b/m,
  /^\s*Tests?:?\s+.*\b[1-9]\d* failed\b/m,
  /^\s*[1-9]\d* failing\b/m,
  /^(?:--- FAIL|FAIL\b(?:\s|$))/m,
  /^test result: FAILED/m,
  /^(?:# |ℹ )fail [1-9]/m,
  /^not ok \d+(?!.*# (?:TODO|SKIP))/m,
  /^=+ tests finished: .*\b[1-9]\d* (?:failed|exceptions?)\b/m,
  /^DO \*NOT\* COMMIT!/m,
  /\b[1-9]\d* examples?, [1-9]\d* failures?\b/,
  /^(?:\[ERROR\] )?Tests run: .*(?:Failures: [1-9]|Errors: [1-9])/m,
  /\bBUILD FAIL(?:ED|URE)\b/,
  /^FAILURES!$/m,
  /^\d+% tests passed, [1-9]\d* tests? failed/m,
  /^Traceback \(most recent call last\):(?![\s\S]*^(?:OK|Ran \d+ tests|=+ .*passed.*=+$))/m,
  /^npm (?:ERR!|error) /m,
]
const notStarted = /\bNo module named (?:py\.?test|nose2?|tox)\b|: command not found$/im
const passed: readonly RegExp[] = [
  /^=+ .*\b[1-9]\d* passed\b.* =+$/m,
  /^[1-9]\d* passed\b.* in [\d.]+s/m,
  /^Ran [1-9]\d* tests?\b[\s\S]*^OK\b/m,
  /^\s*Tests?:?\s+.*\b[1-9]\d* passed\b/m,
  /^\s*[1-9]\d* passing\b/m,
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/m,
  /^test result: ok\. [1-9]/m,
  /^(?:# |ℹ )pass [1-9]/m,
  /^=+ tests finished: [1-9]\d* passed\b/m,
  /\b[1-9]\d* examples?, 0 failures\b/,
  /^(?:\[INFO\] )?Tests run: [1-9].*Failures: 0, Errors: 0/m,
  /\bBUILD SUCCESS(?:FUL)?\b/,
  /^OK \([1-9]\d* tests?/m,
  /^100% tests passed/m,
]

/** @param exit what the exit code says of the tests; undefined: it is that of something else, or not known */
export function readTestResult(output: string, exit: 'zero' | 'other' | undefined): TestResult {
  const text = output.slice(-readCharacters)
  if (notStarted.test(text) && text.length < shortAnswer) return 'not-started'
  if (failed.some((words) => words.test(text))) return 'failed'
  if (passed.some((words) => words.test(text))) return exit === 'other' ? 'failed' : 'passed'
  if (nothingRan.test(text)) return 'nothing-ran'
  if (exit === 'other') return 'failed'
  return exit === 'zero' ? 'passed' : 'unknown'
}

const failingTests: readonly RegExp[] = [
  /^(?:FAILED|ERROR) (\S+::\S+)/gm,
  /^(?:FAIL|ERROR): (\S+ \([\w.]+\))/gm,
  /^\s*--- FAIL: (\S+)/gm,
  /^\s*● (.{1,200}? › .{1,200})$/gm,
  /^not ok \d+ - (.{1,200}?)(?: #.*)?$/gm,
  /^test (\S+) \.\.\. FAILED$/gm,
  /^\s*(?:FAIL|×)\s+(\S+\.(?:test|spec)\.\w+ > .{1,200}?)(?: \d+ms)?$/gm,
]
const keptNames = 32

/** Names of failing tests, as their runner gives them. */
export function failingTestsIn(output: string): readonly string[] {
  const text = output.slice(-readCharacters)
  const names = failingTests.flatMap((words) => [...text.matchAll(words)].map(([, name = '']) => name.trim()))
  return [...new Set(names)].slice(0, keptNames)
}
