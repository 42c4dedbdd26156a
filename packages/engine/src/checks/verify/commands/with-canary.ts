/** A check in the clean room: with planted tests in it, so that a runner that notices nothing shows itself. */
import { startedByChecks } from '../../../analysis/sides/index.ts'
import type { VerifierResult } from '../../../ports/checks.ts'
import { judgeCanary, namedFiles, readTraces, type Traces } from '../canary/judge-canary.ts'
import { countRed, judgeFalsified } from '../canary/judge-falsified.ts'
import { endFiles, falsifyFiles, plantTests, type Planted } from '../canary/plant.ts'
import { interruptedReport } from '../reports/reports.ts'
import { treeOf } from './line-in-copy.ts'
import { findRunner, runsTests, type FoundRunner } from './test-reports/find-runner.ts'
import { countsOf, executedCount, isRed, type TestReport } from './test-reports/report.ts'
import { runAsked, type LineToRun, type ReportingRun } from './test-reports/run-asked.ts'
import { takeReport, type Taken } from './test-reports/take-report.ts'

export interface CanaryCheck {
  readonly name: string
  readonly run: LineToRun
  /** What a run of the line proves. @param taken undefined: no test report is read */
  readonly judge: (ran: ReportingRun, taken: Taken | undefined) => VerifierResult
}

/** Milliseconds. Above this, a pass that planted tests confirm is not run with false comparisons: a second run would cost too much. */
const maxSeenMs = 20_000

/**
 * Runs the line in a tree laid for it. A green counts if planted tests saw false statements fail and the project's
 * tests are red with false comparisons, or else if the line is red with its check files broken. Restores every file.
 * @returns `failed` with `tampered` if the line notices nothing; `no-canary` if no planted test saw anything
 */
export async function askWithCanary(check: CanaryCheck): Promise<VerifierResult> {
  const { folder, line } = check.run
  const tree = treeOf(folder)
  const started = new Set([...startedByChecks([line], tree)].filter((path) => tree.has(path)))
  const runner = findRunner(line, folder)
  if (!runsTests(line, folder) && started.size === 0) return askPlainly(check)
  if (runner === undefined) return askApart({ check, runner, started })
  const plain = await ask(check)
  if (plain.report.status !== 'passed') return plain.report
  const together = await askTogether(check, plain, started)
  if (together.kind === 'report') return together.report
  return askApart({ check, runner, started, plain, cannotFalsify: together.kind === 'stuck' })
}

type Together =
  | { readonly kind: 'report'; readonly report: VerifierResult }
  /** The line does not end while comparisons are false. */
  | { readonly kind: 'stuck' }
  /** A doubt remains, so planted tests and false comparisons are tried separately. */
  | { readonly kind: 'unclear' }

/** Runs once with planted tests and false comparisons; most checks need no further run. */
async function askTogether(check: CanaryCheck, plain: Seen, started: ReadonlySet<string>): Promise<Together> {
  const { report, tests, durationMs } = plain
  if (!plain.isAsked || tests === undefined) return { kind: 'unclear' }
  const isRun = (path: string) =>
    started.has(path) || namedFiles([{ path, mark: '' }], '\0', tests).length > 0
  const planted = await plantTests(check.run.folder, started, isRun)
  const run = { ...limitRun(check.run, 2 * durationMs + spareMs), ...unseenRun }
  const { seen, writtenOver } = await askPlanted({ ...check, run }, planted)
  if (check.run.signal.aborted) return { kind: 'report', report: interruptedReport() }
  if (seen.isTimedOut) return { kind: 'stuck' }
  const canary = judgeCanary(planted.files, planted.mark, seen.traces, seen.tests, seen.isAsked)
  if (writtenOver.length > 0 || canary.kind !== 'seen') return { kind: 'unclear' }
  if (planted.certain.length === 0 && !hasRed(seen.tests)) return { kind: 'report', report }
  const judged = judgeFalsified(planted.certain, seen.isGreen, tests, seen.tests)
  if (judged.kind !== 'red' || countRed(planted.certain, seen.tests) === 0) return { kind: 'unclear' }
  const paths = [...new Set(planted.certain.map(({ path }) => path))]
  return { kind: 'report', report: withRed(check, report, `${listed(paths)} expect other values`) }
}

/** Its output is not shown. */
const unseenRun = { onOutput: () => undefined, endsWithReport: true } as const

interface ApartRequest {
  readonly check: CanaryCheck
  readonly runner: FoundRunner | undefined
  readonly started: ReadonlySet<string>
  /** A pass without planted tests. */
  readonly plain?: Seen
  /** Default false. */
  readonly cannotFalsify?: boolean
}

/** Tries planted tests, then false comparisons, then broken check files. */
async function askApart(request: ApartRequest): Promise<VerifierResult> {
  const { check, runner, started, plain, cannotFalsify = false } = request
  const planted = await plantTests(check.run.folder, started)
  const { seen, writtenOver } = await askPlanted(check, planted)
  const isGreen = seen.report.status === 'passed' && writtenOver.length === 0
  // Whatever the planted tests have upset, such as a formatter that looks at them, is not the work's fault. What was written over
  // was put back: it has to be done again, for the guard to see.
  const report = isGreen ? seen.report : await askUnplanted(check, seen, planted, plain?.report)
  if (report.status !== 'passed') return report
  const { traces, tests, isAsked } = seen
  const canary = judgeCanary(planted.files, planted.mark, traces, tests, isAsked)
  if (canary.kind === 'tampered') return tampered(check.name, canary.reason, report)
  const isSeen = canary.kind === 'seen' && (isGreen || !hasRed(tests))
  const ran = planted.files.flatMap(({ path, mark }) => (traces.loaded.has(mark) ? [path] : []))
  const known = new Set([...namedFiles(planted.files, planted.mark, tests), ...ran, ...started])
  const paths = known.size > 0 ? [...known] : filesOf(runner, planted, report)
  const isSpared = cannotFalsify || (isSeen && seen.durationMs > maxSeenMs) || selectsByName(runner)
  const falsified = isSpared ? undefined : await askFalsified(check, report, paths, seen)
  if (isSeen) return falsified ?? report
  const stoodIn = falsified ?? (await askEnded(check, report, paths))
  if (stoodIn === undefined) return withoutCanary(report)
  return stoodIn.status === 'passed' && traces.last.size + traces.ended.size === 0
    ? withoutCanary(stoodIn)
    : stoodIn
}

async function askPlanted(check: CanaryCheck, planted: Planted) {
  let seen: Seen
  try {
    seen = await ask(check, planted)
  } catch (error) {
    await planted.remove()
    throw error
  }
  return { seen, writtenOver: await planted.remove() }
}

/** What a runner runs that says how many tests it has run, and not from which files. */
function filesOf(
  runner: FoundRunner | undefined,
  { files }: Planted,
  { evidence }: VerifierResult,
): readonly string[] {
  const hasRun = evidence.some((piece) => piece.kind === 'tests' && executedCount(piece.counts) > 0)
  const ending = runner === undefined || !hasRun ? undefined : endings[runner.runner]
  return ending === undefined ? [] : files.flatMap(({ path }) => (ending.test(path) ? [path] : []))
}

const javascript = /\.[cm]?[jt]sx?$/u
const endings: Partial<Record<FoundRunner['runner'], RegExp>> = {
  ...{ vitest: javascript, jest: javascript, mocha: javascript, 'node-test': javascript, uvu: javascript },
  ...{
    pytest: /\.py$/u,
    unittest: /\.py$/u,
    go: /\.go$/u,
    rspec: /\.rb$/u,
    phpunit: /\.php$/u,
    cargo: /\.rs$/u,
  },
}

/** Of the tests of a file it may run those alone that compare nothing, and no planted one. */
function selectsByName(runner: FoundRunner | undefined): boolean {
  const option =
    /^-(?:[kmtge]|-?(?:grep|fgrep|testNamePattern|test-name-pattern|test-only|run|filter|example|match|only\w*))(?:=|$)/u
  return runner?.args.some((word) => option.test(word)) === true
}

/** So many greens in a row that a test of the project is not green by luck that was red beside planted tests. */
const greensAfterRed = 4

/** Without planted tests; several times where a test of the project was red with them. */
async function askUnplanted(
  check: CanaryCheck,
  { tests = [], durationMs }: Seen,
  { mark }: Planted,
  green?: VerifierResult,
): Promise<VerifierResult> {
  const isOwnRed = tests.some((test) => isRed(test) && !test.name.toLowerCase().includes(mark))
  const limited = { ...check, run: limitRun(check.run, 3 * durationMs + spareMs) }
  let report = green ?? (await askPlainly(limited))
  for (let greens = 1; isOwnRed && greens < greensAfterRed && report.status === 'passed'; greens += 1)
    report = await askPlainly(limited)
  return report
}

export async function askPlainly(check: CanaryCheck): Promise<VerifierResult> {
  return (await ask(check)).report
}

interface Seen {
  readonly report: VerifierResult
  readonly traces: Traces
  /** Of the report, planted ones too. Undefined: none was read. */
  readonly tests: TestReport['tests'] | undefined
  readonly isAsked: boolean
  readonly isGreen: boolean
  readonly isTimedOut: boolean
  readonly durationMs: number
}

async function ask({ run, judge }: CanaryCheck, planted?: Planted): Promise<Seen> {
  const ran = await runAsked(run)
  try {
    const taken = run.asks ? await takeReport(ran.asked, ran.remains) : undefined
    const traces = readTraces((await planted?.readTrace()) ?? '', planted?.mark ?? '')
    const tests = taken?.reading.kind === 'read' ? taken.reading.report.tests : undefined
    const isAsked = ['file', 'reports', 'printed'].includes(ran.asked.place.kind)
    const shown =
      planted === undefined || taken === undefined ? taken : withoutPlanted(taken, planted, traces)
    const { end, durationMs } = ran.result
    const isGreen = end.kind === 'exited' && end.exitCode === 0
    const isTimedOut = end.kind === 'timed-out'
    return { report: judge(ran, shown), traces, tests, isAsked, isGreen, isTimedOut, durationMs }
  } finally {
    await ran.asked.dispose()
  }
}

function hasRed(tests: Seen['tests']): boolean {
  return tests === undefined || tests.some(isRed)
}

/** The report without the planted tests. Where it names none, they are taken off the counts. */
function withoutPlanted(taken: Taken, { mark }: Planted, { tests: ran }: Traces): Taken {
  if (taken.reading.kind !== 'read') return taken
  const { report } = taken.reading
  const tests = report.tests.filter(({ name }) => !name.toLowerCase().includes(mark))
  if (report.tests.length > 0)
    return { ...taken, reading: { kind: 'read', report: { ...report, tests, counts: countsOf(tests) } } }
  const { passed, skipped } = report.counts
  const ofNames = (...names: readonly string[]): number =>
    [...ran].filter((test) => names.includes(test.split(' ')[1] ?? '')).length
  const less = {
    passed: Math.min(passed, ofNames('last', 'plain')),
    skipped: Math.min(skipped, ofNames('fails', 'xfails')),
  }
  const counts = {
    ...report.counts,
    passed: passed - less.passed,
    skipped: skipped - less.skipped,
    total: report.counts.total - less.passed - less.skipped,
  }
  return { ...taken, reading: { kind: 'read', report: { ...report, counts } } }
}

/** Tests that fail may leave open what keeps the process alive: how much longer than expected we wait, in milliseconds. */
const spareMs = 5_000

function limitRun(run: LineToRun, timeoutMs: number): LineToRun {
  return { ...run, timeoutMs: Math.min(run.timeoutMs ?? Infinity, timeoutMs) }
}

/** Undefined: none of these files has a comparison of which it is certain that it was run. */
async function askFalsified(
  check: CanaryCheck,
  report: VerifierResult,
  paths: readonly string[],
  { tests, durationMs }: Seen,
): Promise<VerifierResult | undefined> {
  const falsified = await falsifyFiles(check.run.folder, paths)
  try {
    if (falsified.paths.length === 0) return undefined
    const run = {
      ...limitRun(check.run, 2 * durationMs + spareMs),
      ...unseenRun,
    }
    const now = await ask({ ...check, run })
    if (check.run.signal.aborted) return interruptedReport()
    const judged = judgeFalsified(falsified.certain, now.isGreen, tests, now.tests)
    if (judged.kind === 'green') return tampered(check.name, judged.reason, report)
    return judged.kind === 'unknown'
      ? undefined
      : withRed(check, report, `${listed(falsified.paths)} expect other values`)
  } finally {
    await falsified.undo()
  }
}

/** Undefined: none of these files could be made to end with an error. */
async function askEnded(
  check: CanaryCheck,
  report: VerifierResult,
  paths: readonly string[],
): Promise<VerifierResult | undefined> {
  const ended = await endFiles(check.run.folder, paths)
  try {
    if (ended.paths.length === 0) return undefined
    const { isGreen } = await ask({ ...check, run: { ...check.run, asks: false, onOutput: () => undefined } })
    if (check.run.signal.aborted) return interruptedReport()
    const what = `${listed(ended.paths)} throw an error`
    return isGreen
      ? tampered(check.name, `it stays green when ${what}`, report)
      : withRed(check, report, what)
  } finally {
    await ended.undo()
  }
}

function withRed({ name }: CanaryCheck, report: VerifierResult, what: string): VerifierResult {
  const text = `${name} is red, as it must be, when ${what}`
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

function listed(paths: readonly string[]): string {
  const [first = '', ...more] = paths
  return more.length === 0 ? `the lines of ${first}` : `the lines of ${first} and ${more.length} more`
}

function tampered(name: string, reason: string, { evidence }: VerifierResult): VerifierResult {
  return {
    status: 'failed',
    reason: `${name} proves nothing: ${reason}`,
    canRetry: true,
    qualifiers: ['tampered'],
    evidence,
  }
}

function withoutCanary(report: VerifierResult): VerifierResult {
  return { ...report, qualifiers: [...report.qualifiers, 'no-canary'] }
}
