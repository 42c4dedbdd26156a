import { createHash } from 'node:crypto'
import type { TestCase, TestCounts, TestsEvidence } from '@donecheck/core/internal/events/verdicts'
import picomatch from 'picomatch'
import { given } from '../../../../base/index.ts'
import { truncateText } from '../../reports/reports.ts'

/** `skipped` stands for everything that was not asked to pass: skipped, pending, todo, expected to fail. */
type TestStatus = 'passed' | 'failed' | 'errored' | 'skipped'

export interface TestResult extends TestCase {
  readonly status: TestStatus
  /** It stands for a file, a package or a hook that went wrong, not for a test: it sets no floor for later runs. */
  readonly isTest?: false
}

export interface TestReport {
  /** Where it was read, such as `junit`; `text` where only the runner's words told it. */
  readonly format: string
  readonly counts: TestCounts
  /** Every test that was counted; empty where only counts are known. */
  readonly tests: readonly TestResult[]
}

export type Reading =
  | { readonly kind: 'read'; readonly report: TestReport }
  /** It is no report of this kind, or not a whole one: nothing in it is believed. The problem is one phrase. */
  | { readonly kind: 'unreadable'; readonly problem: string }

export function readingOf(format: string, tests: readonly TestResult[]): Reading {
  return { kind: 'read', report: { format, counts: countsOf(tests), tests } }
}

/** Reports of several runs as one. A part that cannot be read makes all of it unreadable. */
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

/** The passed, failed and errored ones: a skipped test proves nothing. */
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

/** A file of a report as it is written in evidence: relative to the folder of the check where it lies in it. */
export function relativeTo(folder: string, file: string): string {
  const path = file.replace(/^file:\/\//, '')
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path.replace(/^\.\//, '')
}

/** `5 passed, 1 failed, 2 skipped`: what is none is left out. */
export function sayCounts(counts: TestCounts): string {
  const words = (['passed', 'failed', 'errored', 'skipped'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
  return words.length === 0 ? 'no tests' : words.join(', ')
}

/** The first line of a stack trace that stands in this file, from 1. */
export function lineIn(trace: string, file: string): number | undefined {
  const at = trace.indexOf(`${file}:`)
  if (at < 0) return undefined
  const line = Number(/^\d+/.exec(trace.slice(at + file.length + 1, at + file.length + 10))?.[0])
  return Number.isSafeInteger(line) && line > 0 ? line : undefined
}

const maxNames = 1_000
const maxNameLength = 300
/** Of so many failures the words are kept, of the others the names. */
const maxMessages = 100
const maxMessageLength = 1_000
/** Of more tests the lowest digests are kept: the same sample every time. */
export const maxDigests = 20_000

/** A report within the bounds of an event. `setsFloor`: which tests must be executed the next time, if any. */
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

/** First 12 hex digits of the SHA-256 of a test's name: what the verdict of the baseline tree keeps of it. */
export function digestOfName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

export function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Whether a test may vanish: globs over its file, or over its name. */
export function mayDropBy(globs: readonly string[]): (test: Pick<TestResult, 'name' | 'file'>) => boolean {
  const isFile = picomatch([...globs], { dot: true })
  const isName = picomatch([...globs], { dot: true, bash: true })
  return ({ name, file }) => isName(name) || (file !== undefined && isFile(file))
}
