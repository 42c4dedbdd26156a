import type { TestCase, TestsEvidence } from '../../events/index.ts'
import { digestOfName } from './identity.ts'
import { isExecuted, isRed, type TestReport, type TestResult } from './report.ts'

const mostNames = 1_000
const longestName = 300
/** Of so many failures the words are kept, of the others the names. */
const mostMessages = 100
const longestMessage = 1_000
/** Of more tests the lowest digests are kept: the same sample every time. */
export const mostDigests = 20_000

/** A report within the bounds of an event. `setsFloor`: which tests must be executed the next time, if any. */
export function testsEvidenceOf(
  { format, counts, tests }: TestReport,
  setsFloor: ((test: TestResult) => boolean) | undefined,
): TestsEvidence {
  const red = tests.filter(isRed).slice(0, mostNames)
  const skipped = tests.filter((test) => !isExecuted(test)).slice(0, mostNames)
  const evidence: TestsEvidence = {
    kind: 'tests',
    format,
    counts,
    failed: red.map((test, index) => caseOf(test, index < mostMessages)),
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
  return digests.slice(0, mostDigests)
}

function caseOf({ name, file, line, message }: TestResult, isWordy: boolean): TestCase {
  return {
    name: shortName(name),
    ...(file === undefined ? {} : { file: cut(file, longestName) }),
    ...(line === undefined ? {} : { line }),
    ...(message === undefined || !isWordy ? {} : { message: cut(message, longestMessage) }),
  }
}

/** As a name stands in evidence. */
export function shortName(name: string): string {
  return cut(name, longestName)
}

function cut(text: string, length: number): string {
  return (text.length <= length ? text : `${text.slice(0, length - 1)}…`).toWellFormed()
}
