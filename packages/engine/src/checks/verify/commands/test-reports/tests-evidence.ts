import type { TestCase, TestsEvidence } from '@donecheck/core/verdicts'
import { digestOfName } from './identity.ts'
import { isExecuted, isRed, type TestReport, type TestResult } from './report.ts'

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
  return setsFloor === undefined || tests.length === 0
    ? evidence
    : {
        ...evidence,
        executedDigests: digestsOf(
          tests.filter((test) => isExecuted(test) && test.isTest !== false && setsFloor(test)),
        ),
      }
}

function digestsOf(tests: readonly TestResult[]): readonly string[] {
  const digests = tests.map(({ name }) => digestOfName(name)).sort()
  return digests.slice(0, maxDigests)
}

function caseOf({ name, file, line, message }: TestResult, isWordy: boolean): TestCase {
  return {
    name: shortName(name),
    ...(file === undefined ? {} : { file: truncateText(file, maxNameLength) }),
    ...(line === undefined ? {} : { line }),
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
