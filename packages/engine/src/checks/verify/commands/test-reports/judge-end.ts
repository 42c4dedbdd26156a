import type { TestsEvidence, Verdict } from '@donecheck/core/internal/events/verdicts'
import type { VerifierContext, VerifierResult } from '../../../../ports/checks.ts'
import type { ProcessEnd } from '../../../../system/process/index.ts'
import { infrastructureCause, isWorkUnstarted, whatIsNotFound } from '../trouble.ts'
import {
  unanswerable,
  undecidedResult,
  interruptedReport,
  failedReport,
  passedReport,
} from '../../reports/reports.ts'
import { judgeTests, type KnownTest } from './judge-tests.ts'
import {
  digestOfName,
  testsEvidenceOf,
  isExecuted,
  redOf,
  type TestReport,
  type TestResult,
} from './report.ts'
import type { ReportingRun } from './run-asked.ts'
import type { Taken } from './take-report.ts'

export interface Rules {
  readonly name: string
  readonly timeoutMs: number
  readonly tests: 'auto' | 'off'
  readonly preExisting: 'fix' | 'tolerate'
  readonly mayDrop: (test: TestResult) => boolean
  /** Baseline test names by digest, until this process ends. */
  readonly known: Map<string, KnownTest>
}

export interface Before {
  readonly baseline: Verdict | undefined
  readonly isBaseline: boolean
  readonly mayBeGone?: VerifierContext['mayBeGone']
}

type EndJudgement = Omit<VerifierResult, 'attachments'>

/** @param taken undefined without a test report */
export function judgeEnd(
  run: ReportingRun,
  taken: Taken | undefined,
  rules: Rules,
  before: Before,
): EndJudgement {
  const { end } = run.result
  if (end.kind !== 'exited') return withoutEnd(end, rules)
  const { runsNothing, isAlone = false } = run.asked.runner ?? {}
  if (end.exitCode === 0 && isAlone && runsNothing !== undefined)
    return undecidedResult(
      `${rules.name} runs no test: ${runsNothing} only shows something; leave it out`,
      'unverifiable',
    )
  const report = taken?.reading.kind === 'read' ? taken.reading.report : undefined
  if (end.exitCode !== 0 && (report === undefined || redOf(report.counts) === 0)) {
    const trouble = troubleOf(run, end.exitCode, rules.name)
    if (trouble !== undefined) return trouble
  }
  if (taken?.refusal !== undefined)
    return failedReport(
      `${rules.name} failed (exit 0): ${taken.refusal}; let it run to its end, without ending the process in a test`,
    )
  if (taken !== undefined && report !== undefined) return judgeReport(run, report, rules, before)
  return judgeExit(end.exitCode, run, taken, rules, before)
}

function withoutEnd(end: Exclude<ProcessEnd, { kind: 'exited' }>, { name, timeoutMs }: Rules): EndJudgement {
  switch (end.kind) {
    case 'signalled':
      return undecidedResult(`${name} was killed by ${end.signal}`, 'infrastructure')
    case 'timed-out':
      return undecidedResult(`${name} did not finish within ${timeoutMs / 1000} s`, 'infrastructure')
    case 'aborted':
      return interruptedReport()
    case 'not-started':
      return undecidedResult(`${name} could not be started: ${end.problem}`, 'infrastructure')
  }
}

/** Explains a non-zero exit code without a failed test. */
function troubleOf(run: ReportingRun, exitCode: number, name: string): EndJudgement | undefined {
  if (isWorkUnstarted(tailOf(run), run.remains.folder)) return undefined
  if (exitCode === 126)
    return undecidedResult(
      `${name} could not be run (exit 126): its program may not be executed; make it executable, or correct the command`,
      'infrastructure',
    )
  if (exitCode === 127) return notFound(run, name)
  const cause = infrastructureCause(exitCode, tailOf(run))
  return cause === undefined
    ? undefined
    : undecidedResult(`${name} could not be decided (exit ${exitCode}): ${cause}`, 'infrastructure')
}

/** @returns undefined if the work itself lacks the program, so the exit code counts */
function notFound(run: ReportingRun, name: string): EndJudgement | undefined {
  const searchPath = run.request.environment['PATH'] ?? ''
  const missing = whatIsNotFound(run.request.line, tailOf(run), run.remains.folder, searchPath)
  const wayOut = 'was not found; install it, or correct the command'
  switch (missing.kind) {
    case 'file-of-the-work':
      return undefined
    case 'elsewhere':
      return undecidedResult(
        `${name} could not be run (exit 127): a program that it needs ${wayOut}`,
        'infrastructure',
      )
    case 'program':
      return unanswerable(
        `${name} could not be run (exit 127): its program ${missing.name} ${wayOut} (looked for in ${searchPath})`,
        'infrastructure',
      )
  }
}

function tailOf({ result: { output } }: ReportingRun): string {
  return output.omittedBytes === 0 ? output.head + output.tail : output.tail
}

function judgeReport(
  run: ReportingRun,
  report: TestReport,
  rules: Rules,
  { baseline, isBaseline, mayBeGone }: Before,
): EndJudgement {
  const { known } = rules
  const { findings, notes, ...ruling } = judgeTests({
    ...rules,
    exitCode: run.remains.exitCode,
    report,
    baseline: isBaseline ? undefined : testsIn(baseline),
    mayBeGone,
    isAlone: run.asked.runner?.isAlone ?? false,
  })
  const mustStay = (test: TestResult) => !rules.mayDrop(test)
  if (isBaseline) remember(report, mustStay, known)
  const said = notes.map((text) => ({ kind: 'note' as const, text }))
  const tests = testsEvidenceOf(report, isBaseline ? mustStay : undefined)
  return { ...ruling, canRetry: true, evidence: [tests, ...findings, ...said] }
}

function remember(
  report: TestReport,
  mustStay: (test: TestResult) => boolean,
  known: Map<string, KnownTest>,
): void {
  known.clear()
  for (const test of report.tests) {
    const { name, file } = test
    if (isExecuted(test) && test.isTest !== false && mustStay(test))
      known.set(digestOfName(name), file === undefined ? { name } : { name, file })
  }
}

function judgeExit(
  exitCode: number,
  { asked }: ReportingRun,
  taken: Taken | undefined,
  rules: Rules,
  { baseline, isBaseline }: Before,
): EndJudgement {
  const { name } = rules
  if (exitCode !== 0) {
    const reason = `${name} failed (exit ${exitCode})`
    if (isBaseline || baseline?.status !== 'failed') return failedReport(reason)
    const unmeasured =
      rules.preExisting === 'tolerate'
        ? `; ${name} prints no counts of tests, so 'tolerate' cannot be measured`
        : ''
    const asBefore = failedReport(`${reason}, on the baseline tree as well${unmeasured}`)
    return { ...asBefore, qualifiers: ['pre-existing'] }
  }
  const why = taken?.reading.kind === 'unreadable' ? taken.reading.problem : undefined
  const text = `no test counts could be read: ${why ?? ''}`
  const evidence = why === undefined || asked.runner === undefined ? [] : [{ kind: 'note', text } as const]
  return passedReport(`${name} passed (exit 0)`, ...evidence)
}

function testsIn(verdict: Verdict | undefined): TestsEvidence | undefined {
  return verdict?.evidence.find((evidence) => evidence.kind === 'tests')
}
