import { createHash } from 'node:crypto'
import type { TestCase, TestCounts, TestsEvidence } from '@donecheck/core/internal/events/verdicts'
import picomatch from 'picomatch'
import { given } from '../../../../base/index.ts'
import { truncateText } from '../../reports/reports.ts'

/** `skipped` covers everything not expected to pass: skipped, pending, todo, expected failures. */
type TestStatus = 'passed' | 'failed' | 'errored' | 'skipped'

export interface TestResult extends TestCase {
  readonly status: TestStatus
  /** Stands for a file, package or hook, not a test, so it sets no minimum for later runs. */
  readonly isTest?: false
}

export interface TestReport {
  /** Source format, such as `junit`; `text` for a printed summary. */
  readonly format: string
  readonly counts: TestCounts
  /** Empty if only counts are known. */
  readonly tests: readonly TestResult[]
}

export type Reading =
  | { readonly kind: 'read'; readonly report: TestReport }
  /** Not a complete report, so nothing in it is used. The problem is one phrase. */
  | { readonly kind: 'unreadable'; readonly problem: string }

export function readingOf(format: string, tests: readonly TestResult[]): Reading {
  return { kind: 'read', report: { format, counts: countsOf(tests), tests } }
}

/** Merges reports of several runs. One unreadable part makes the result unreadable. */
export function joinReadings(readings: readonly Reading[]): Reading {
  const reports: TestReport[] = []
  for (const reading of readings) {
    if (reading.kind === 'unreadable') return reading
    reports.push(reading.report)
  }
  const [first] = reports
  if (first === undefined) return unreadable('there is no report')
  return readingOf(
    first.format,
    reports.flatMap((report) => report.tests),
  )
}

export function unreadable(problem: string): Reading {
  return { kind: 'unreadable', problem }
}

export function countsOf(tests: readonly TestResult[]): TestCounts {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  for (const { status } of tests) counts[status] += 1
  return { ...counts, total: tests.length }
}

/** Passed, failed and errored tests: skipped ones prove nothing. */
export function executedCount({ passed, failed, errored }: TestCounts): number {
  return passed + failed + errored
}

export function isExecuted({ status }: TestResult): boolean {
  return status !== 'skipped'
}

export function isRed({ status }: Pick<TestResult, 'status'>): boolean {
  return status === 'failed' || status === 'errored'
}

export function redOf({ failed, errored }: TestCounts): number {
  return failed + errored
}

export function nameOf(...parts: readonly string[]): string {
  const name = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' > ')
  return name === '' ? '(without a name)' : name
}

/** Path as shown in evidence: relative if inside the folder. */
export function relativeTo(folder: string, file: string): string {
  const path = file.replace(/^file:\/\//, '')
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path.replace(/^\.\//, '')
}

/** Formats `5 passed, 1 failed, 2 skipped`, without zeros. */
export function sayCounts(counts: TestCounts): string {
  const words = (['passed', 'failed', 'errored', 'skipped'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
  return words.length === 0 ? 'no tests' : words.join(', ')
}

/** First line of a stack trace in this file, from 1. */
export function lineIn(trace: string, file: string): number | undefined {
  const at = trace.indexOf(`${file}:`)
  if (at < 0) return undefined
  const line = Number(/^\d+/.exec(trace.slice(at + file.length + 1, at + file.length + 10))?.[0])
  return Number.isSafeInteger(line) && line > 0 ? line : undefined
}

const maxNames = 1_000
const maxNameLength = 300
/** Failures with messages; further ones only have names. */
const maxMessages = 100
const maxMessageLength = 1_000
/** Above it the lowest digests are kept, for a stable sample. */
export const maxDigests = 20_000

/** Cuts a report to event size. `setsFloor`: the tests that must run again next time. */
export function testsEvidenceOf(
  { format, counts, tests }: TestReport,
  setsFloor: ((test: TestResult) => boolean) | undefined,
): TestsEvidence {
  const red = tests.filter(isRed).slice(0, maxNames)
  const skipped = tests.filter((test) => !isExecuted(test)).slice(0, maxNames)
  const evidence: TestsEvidence = {
    kind: 'tests',
    format,
    counts,
    failed: red.map((test, index) => caseOf(test, index < maxMessages)),
    skipped: skipped.map(({ name }) => shortName(name)),
  }
  if (setsFloor === undefined || tests.length === 0) return evidence
  const floor = tests.filter((test) => isExecuted(test) && test.isTest !== false && setsFloor(test))
  const digests = floor.map(({ name }) => digestOfName(name)).sort()
  const files = new Set(
    floor.flatMap(({ file = '' }) => (file === '' || file.length > maxNameLength ? [] : file)),
  )
  return {
    ...evidence,
    executedDigests: digests.slice(0, maxDigests),
    ...(files.size === 0 ? {} : { files: [...files].sort().slice(0, maxNames) }),
  }
}

function caseOf({ name, file, line, message }: TestResult, isWordy: boolean): TestCase {
  return {
    name: shortName(name),
    ...(file === undefined ? {} : { file: truncateText(file, maxNameLength) }),
    ...given({ line }),
    ...(message === undefined || !isWordy ? {} : { message: truncateText(message, maxMessageLength) }),
  }
}

export function shortName(name: string): string {
  return truncateText(name, maxNameLength)
}

/** First 12 hex digits of the SHA-256 of a test's name. */
export function digestOfName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

export function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Whether a test may disappear: globs over its file or name. */
export function mayDropBy(globs: readonly string[]): (test: Pick<TestResult, 'name' | 'file'>) => boolean {
  const isFile = picomatch([...globs], { dot: true })
  const isName = picomatch([...globs], { dot: true, bash: true })
  return ({ name, file }) => isName(name) || (file !== undefined && isFile(file))
}
