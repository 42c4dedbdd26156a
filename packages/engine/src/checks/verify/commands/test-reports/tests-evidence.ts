import type { TestCase, TestsEvidence } from '@donecheck/core/verdicts'
import { isExecuted, isRed, type TestReport, type TestResult } from './report.ts'
import { createHash } from 'node:crypto'
import picomatch from 'picomatch'
import { given } from '../../../../base/index.ts'

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
  return { ...evidence, executedDigests: digests.slice(0, maxDigests) }
}

function caseOf({ name, file, line, message }: TestResult, isWordy: boolean): TestCase {
  return {
    name: shortName(name),
    ...(file === undefined ? {} : { file: truncateText(file, maxNameLength) }),
    ...given({ line }),
    ...(message === undefined || !isWordy ? {} : { message: truncateText(message, maxMessageLength) }),
  }
}

/** As a name stands in evidence. */
export function shortName(name: string): string {
  return truncateText(name, maxNameLength)
}

function truncateText(text: string, length: number): string {
  return (text.length <= length ? text : `${text.slice(0, length - 1)}…`).toWellFormed()
}

/** First 12 hex digits of the SHA-256 of a test's name: what the verdict of the baseline tree keeps of it. */
export function digestOfName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

/** How often each of these values is there: two tests may have one name. */
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
