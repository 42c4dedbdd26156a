import type {
  FindingEvidence,
  TestsEvidence,
  VerdictQualifier,
} from '@donecheck/core/internal/events/verdicts'
import { given } from '../../../../base/index.ts'
import type { VerifierContext, VerifierResult } from '../../../../ports/checks.ts'
import {
  executedCount,
  isRed,
  redOf,
  sayCounts,
  digestOfName,
  tally,
  maxDigests,
  shortName,
  isExecuted,
  type TestReport,
  type TestResult,
} from './report.ts'

export interface TestRun {
  readonly name: string
  readonly exitCode: number
  readonly report: TestReport
  readonly baseline: TestsEvidence | undefined
  readonly known: KnownTests
  readonly mayBeGone?: VerifierContext['mayBeGone']
  readonly preExisting: 'fix' | 'tolerate'
  /** Exit code is the runner's alone. */
  readonly isAlone: boolean
}

type Ruling = Pick<VerifierResult, 'status' | 'reason' | 'qualifiers'>

interface TestsJudgement extends Ruling {
  readonly score: number
  readonly findings: readonly FindingEvidence[]
  readonly notes: readonly string[]
}

/** Combines exit code, report and baseline; the worst counts. */
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
  const { name, exitCode, report } = run
  const { counts } = report
  if (executedCount(counts) === 0) {
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
    return failedRuling(`${name} failed: no test was executed (exit ${exitCode}${skipped})`)
  }
  if (redOf(counts) > 0) return rulingOnRed(run, comparison, findings)
  if (exitCode !== 0) return failedRuling(`${name} failed (exit ${exitCode}), although ${sayCounts(counts)}`)
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
  if (run.preExisting === 'tolerate' && findings.length === 0 && (run.isAlone || exitCode === 0))
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

/** Regressions against the baseline other than failures, and notes. */
function findingsOf(
  { missing, moved, newlySkipped }: Comparison,
  { tests, counts }: TestReport,
): { readonly findings: readonly FindingEvidence[]; readonly notes: readonly string[] } {
  const notes = moved
    .slice(0, maxFindings)
    .map(({ from, to }) => `taken as one test in a new place: ${from} → ${to}`)
  const skipped = newlySkipped.slice(0, maxFindings).map(skippedFinding)
  if (missing.count === 0) return { findings: skipped, notes }
  const { message, path } = sayMissing(missing)
  // A file that cannot load takes its tests with it and already fails.
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

export interface KnownTest {
  readonly name: string
  readonly file?: string
}

/** Baseline names by digest. After a restart only counts remain. */
type KnownTests = ReadonlyMap<string, KnownTest>

export interface Comparison {
  readonly missing: { readonly count: number; readonly tests: readonly KnownTest[] }
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly newlySkipped: readonly TestResult[]
  readonly newlyRed: readonly TestResult[]
  readonly stillRed: readonly TestResult[]
  /** Every current failure has a searchable name. */
  readonly isNamed: boolean
}

/** @param mayBeGone see `VerifierContext` @returns undefined if the baseline executed nothing */
export function compareWithBaseline(
  now: TestReport,
  baseline: TestsEvidence | undefined,
  known: KnownTests,
  mayBeGone?: VerifierContext['mayBeGone'],
): Comparison | undefined {
  if (baseline === undefined || executedCount(baseline.counts) === 0) return undefined
  const redThen = new Set(baseline.failed.map(({ name }) => name))
  const red = now.tests.filter(isRed)
  const wasRed = (test: TestResult) => isSpecific(test) && redThen.has(shortName(test.name))
  const newlyRed = red.filter((test) => !wasRed(test))
  const stillRed = red.filter(wasRed)
  const isNamed = red.length === now.counts.failed + now.counts.errored
  const absence = withoutAllowed(absenceOf(now, baseline, known), mayBeGone)
  return { ...absence, newlyRed, stillRed, isNamed }
}

/** Errors outside tests and files share one name, so never count as old ones. */
function isSpecific({ isTest, file }: TestResult): boolean {
  return isTest !== false || file !== undefined
}

type Absence = Pick<Comparison, 'missing' | 'moved' | 'newlySkipped'>

/** Compares by name if both sides have names. */
function absenceOf(
  now: TestReport,
  { counts: then, executedDigests }: TestsEvidence,
  known: KnownTests,
): Absence {
  if (executedDigests === undefined || now.tests.length < now.counts.total) {
    // Errors may stand for entire files with unknown tests.
    const count = Math.max(0, then.passed + then.failed - executedCount(now.counts))
    return { missing: { count, tests: [] }, moved: [], newlySkipped: [] }
  }
  const rest = lackingNow(now, executedDigests)
  const newlySkipped = now.tests.filter((test) => !isExecuted(test) && takeOne(rest, digestOfName(test.name)))
  const candidates = [...rest].flatMap(([digest, count]) => {
    const test = known.get(digest)
    return test === undefined ? [] : Array.from({ length: count }, () => ({ digest, test }))
  })
  const added = now.tests.filter((test) => isExecuted(test) && !known.has(digestOfName(test.name)))
  const moved = movesAmong(candidates, added)
  for (const { digest } of moved) takeOne(rest, digest)
  const tests = [...rest].flatMap(([digest, count]) => Array.from({ length: count }, () => known.get(digest)))
  const isSample = executedDigests.length === maxDigests
  const count = Math.max(tests.length, isSample ? executedCount(then) - executedCount(now.counts) : 0)
  return {
    missing: { count, tests: tests.filter((test) => test !== undefined) },
    moved: moved.map(({ from, to }) => ({ from, to })),
    newlySkipped,
  }
}

/** Baseline digests not executed now, with counts. */
function lackingNow({ tests }: TestReport, executedThen: readonly string[]): Map<string, number> {
  const executed = tally(tests.filter(isExecuted).map(({ name }) => digestOfName(name)))
  const lacking = [...tally(executedThen)].map(
    ([digest, count]) => [digest, count - (executed.get(digest) ?? 0)] as const,
  )
  return new Map(lacking.filter(([, count]) => count > 0))
}

/** Without names or files, unmatched tests cannot be excused. */
function withoutAllowed(absence: Absence, mayBeGone: VerifierContext['mayBeGone']): Absence {
  if (mayBeGone === undefined) return absence
  const { missing, newlySkipped } = absence
  const must = ({ file }: Pick<KnownTest, 'file'>) =>
    mayBeGone !== 'any' && file !== undefined && !mayBeGone.includes(file)
  const tests = missing.tests.filter(must)
  return { ...absence, missing: { count: tests.length, tests }, newlySkipped: newlySkipped.filter(must) }
}

function takeOne(counts: Map<string, number>, value: string): boolean {
  const count = counts.get(value) ?? 0
  if (count > 1) counts.set(value, count - 1)
  else counts.delete(value)
  return count > 0
}

/** Pairs a missing test with a new one of equal name: it moved to another file or class. */
function movesAmong(
  missing: readonly { readonly digest: string; readonly test: KnownTest }[],
  added: readonly TestResult[],
): readonly { readonly digest: string; readonly from: string; readonly to: string }[] {
  const free = new Map<string, string[]>()
  for (const { name } of added) free.set(ownName(name), [...(free.get(ownName(name)) ?? []), name])
  return missing.flatMap(({ digest, test: { name: from } }) => {
    const to = free.get(ownName(from))?.shift()
    return to === undefined ? [] : [{ digest, from, to }]
  })
}

function ownName(name: string): string {
  return name.split(' > ').at(-1) ?? name
}
