import type { VerifierContext, VerifierReport } from '../../../../ports/checks.ts'
import type { FindingEvidence, TestCounts, TestsEvidence, VerdictQualifier } from '@donecheck/core/verdicts'
import { compareWithBaseline, type Comparison, type KnownTests } from './compare-with-baseline.ts'
import { executedCount, isRed, redOf, sayCounts, type TestReport, type TestResult } from './report.ts'
import { given } from '../../../../base/index.ts'

/** What became of a run of tests that told its counts. */
export interface TestRun {
  /** The check's name. */
  readonly name: string
  readonly exitCode: number
  readonly report: TestReport
  /** What the runner printed for people beside its report, where that could be read. */
  readonly printed: TestCounts | undefined
  /** What it said of the baseline tree, unless that could not be decided. */
  readonly baseline: TestsEvidence | undefined
  readonly known: KnownTests
  readonly mayBeGone?: VerifierContext['mayBeGone']
  readonly preExisting: 'mend' | 'not-worse'
  /** The exit code is the runner's alone: nothing else of the line can have failed. */
  readonly isAlone: boolean
}

type Ruling = Pick<VerifierReport, 'status' | 'reason' | 'qualifiers'>

interface TestsJudgement extends Ruling {
  /** Share of the executed tests that passed, 0 to 1. */
  readonly score: number
  readonly findings: readonly FindingEvidence[]
  readonly notes: readonly string[]
}

/** Exit code, report, printed words and the baseline tree, put together: the worst of them counts. */
export function judgeTests(run: TestRun): TestsJudgement {
  const { counts } = run.report
  const executed = executedCount(counts)
  const score = executed === 0 ? 0 : counts.passed / executed
  const comparison = compareWithBaseline(run.report, run.baseline, run.known, run.mayBeGone)
  const { findings, notes } = comparison === undefined ? noFindings : findingsOf(comparison, run.report)
  return { score, findings, ...ruling(run, comparison, findings), notes: [...notes, ...remarks(run)] }
}

const noFindings = { findings: [], notes: [] }

function ruling(
  run: TestRun,
  comparison: Comparison | undefined,
  findings: readonly FindingEvidence[],
): Ruling {
  const { name, exitCode, report, printed } = run
  const { counts } = report
  if (executedCount(counts) === 0) {
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
    return failedRuling(`${name} failed: no test was executed (exit ${exitCode}${skipped})`)
  }
  if (redOf(counts) > 0) return rulingOnRed(run, comparison, findings)
  if (printed !== undefined && redOf(printed) > 0)
    return failedRuling(
      `${name} failed: its report names no failure, and yet it printed ${sayCounts(printed)}`,
    )
  if (exitCode !== 0) return failedRuling(`${name} failed (exit ${exitCode}), although ${sayCounts(counts)}`)
  if (printed !== undefined && counts.passed > printed.passed)
    return {
      status: 'error',
      reason: `${name} cannot be believed: its report says ${sayCounts(counts)}, and it printed ${sayCounts(printed)}`,
      qualifiers: ['unverifiable'],
    }
  if (findings.length > 0)
    return failedRuling(`${name} failed: ${findings.map(({ message }) => message).join('; ')}`)
  return { status: 'passed', reason: `${name} passed (exit 0; ${sayCounts(counts)})`, qualifiers: [] }
}

function rulingOnRed(
  run: TestRun,
  comparison: Comparison | undefined,
  findings: readonly FindingEvidence[],
): Ruling {
  const { name, exitCode, report } = run
  const { counts } = report
  const first = report.tests.find(isRed)
  const what = `${redOf(counts)} of ${executedCount(counts)} tests failed`
  const which = first === undefined ? '' : `, first: ${formatTest(first)}`
  const before = comparison?.stillRed.length ?? 0
  const isAllBefore = before > 0 && comparison?.isNamed === true && comparison.newlyRed.length === 0
  if (!isAllBefore) {
    const old = before === 0 ? '' : ` (${before} of them on the baseline tree as well)`
    return failedRuling(`${name} failed (exit ${exitCode}): ${what}${old}${which}`)
  }
  if (run.preExisting === 'not-worse' && findings.length === 0 && (run.isAlone || exitCode === 0))
    return {
      status: 'passed',
      reason: `${name} is not worse than on the baseline tree (${sayCounts(counts)}; every failure was there before)`,
      qualifiers: ['pre-existing'],
    }
  const more = findings.map(({ message }) => `; ${message}`).join('')
  const reason = `${name} failed (exit ${exitCode}): ${what}, all of them on the baseline tree as well${which}${more}`
  return failedRuling(reason, 'pre-existing')
}

function failedRuling(reason: string, ...qualifiers: readonly VerdictQualifier[]): Ruling {
  return { status: 'failed', reason, qualifiers }
}

const maxShownLength = 200

function formatTest({ name, file, line }: TestResult): string {
  const place = file === undefined ? '' : ` (${line === undefined ? file : `${file}:${line}`})`
  return `${name.slice(0, maxShownLength).toWellFormed()}${place}`
}

function remarks({ exitCode, report, isAlone }: TestRun): readonly string[] {
  const { counts } = report
  if (exitCode !== 0 && redOf(counts) === 0 && executedCount(counts) > 0)
    return [
      isAlone
        ? `no test failed: the runner ended with exit code ${exitCode} for another reason, such as a threshold of coverage or an error outside of the tests`
        : `no test failed: another part of the command may have ended it with exit code ${exitCode}`,
    ]
  if (exitCode === 0 && redOf(counts) > 0) return ['exit code 0 hides failed tests: the report is believed']
  return []
}

const shownNames = 5
const maxFindings = 100
const whyExecuted = 'a test that is not executed proves nothing, and the baseline tree executed it'

/** What is worse than on the baseline tree beside failures, and what is only worth a word. */
function findingsOf(
  { missing, renamed, newlySkipped }: Comparison,
  { tests, counts }: TestReport,
): { readonly findings: readonly FindingEvidence[]; readonly notes: readonly string[] } {
  const notes = renamed
    .slice(0, maxFindings)
    .map(({ from, to }) => `taken as one test under a new name: ${from} → ${to}`)
  const skipped = newlySkipped.slice(0, maxFindings).map(skippedFinding)
  if (missing.count === 0) return { findings: skipped, notes }
  const { message, path } = sayMissing(missing)
  // A file that cannot be loaded takes its tests along, and is a failure by itself.
  const isBroken =
    tests.length < counts.total
      ? counts.errored > 0
      : tests.some((test) => test.isTest === false && isRed(test))
  if (isBroken) return { findings: skipped, notes: [...notes, message] }
  const fewer: FindingEvidence = {
    kind: 'finding',
    rule: 'tests.fewer-executed',
    response: 'refuse',
    message,
    why: whyExecuted,
    ...given({ path }),
  }
  return { findings: [fewer, ...skipped], notes }
}

function sayMissing({ count, tests }: Comparison['missing']): {
  readonly message: string
  readonly path?: string
} {
  const names = tests.slice(0, shownNames).map(({ name }) => name.slice(0, 200).toWellFormed())
  const more = count > names.length && names.length > 0 ? ', …' : ''
  const which = names.length === 0 ? '' : `: ${names.join(', ')}${more}`
  const message = `${count} ${count === 1 ? 'test' : 'tests'} of the baseline tree not executed any more${which}`
  return { message, ...given({ path: tests[0]?.file }) }
}

function skippedFinding({ name, file, line }: TestResult): FindingEvidence {
  return {
    kind: 'finding',
    rule: 'tests.newly-skipped',
    response: 'refuse',
    message: `skipped now, executed on the baseline tree: ${name.slice(0, 200).toWellFormed()}`,
    why: whyExecuted,
    ...given({ path: file, line }),
  }
}
