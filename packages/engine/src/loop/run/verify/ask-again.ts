/** When one answer is not enough: trouble with the environment, and checks that say one thing and then another. */
import { judgeTries, passesNeeded, type Tries } from '@donecheck/core/policies'
import type { Clock } from '../../../ports/loop.ts'
import { undecidedReport, type RetryPolicy, type VerifierReport } from '../../../ports/checks.ts'
import { isAborted } from '../perform/settle-within.ts'
import { waiverOf, type Checking } from '../session/world.ts'

export interface Asking {
  readonly name: string
  readonly ask: () => Promise<VerifierReport>
  readonly retry: RetryPolicy
  /** What it said before on the inputs of its latest answer. @returns undefined if it said nothing */
  readonly earlier: () => 'passed' | 'failed' | 'flaky' | undefined
  /** Times in a row that it was not green on other trees of the run, the baseline left out. Default 0. */
  readonly redBefore?: number
  /** What was changed asks for chance or the time, so that one tree may give two answers. Default false. */
  readonly mayVary?: boolean
  readonly checking: Pick<Checking, 'flaky' | 'flakeBound' | 'quarantine'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Before the first further try after trouble with the environment; four times as long before each one after it. */
const firstPauseMs = 500

export async function askUntilSettled(asking: Asking): Promise<VerifierReport> {
  const first = await askThroughTrouble(asking)
  if (first.status === 'failed') return await askAfterFailure(first, asking)
  if (first.status !== 'passed' || first.qualifiers.includes('pre-existing')) return first
  const earlier = asking.earlier()
  if (earlier === 'failed') return await confirm(first, { passed: 0, failed: 1 }, asking, 'earlier')
  // Once found out, it stays so for as long as the tree is the same.
  if (earlier === 'flaky') return await confirm(first, { passed: 0, failed: 1 }, asking, 'now')
  return confirmFirstGreen(first, asking)
}

/**
 * Who tries until a check is green by chance is found out: after reds on other trees the first green is asked for once more, and where
 * the product may vary so often that all tries of the run together keep the bound.
 */
async function confirmFirstGreen(first: VerifierReport, asking: Asking): Promise<VerifierReport> {
  const { ask, earlier, redBefore = 0, mayVary = false, checking, signal } = asking
  if (earlier() === 'passed') return first
  const bound = { ...checking.flakeBound, maxError: checking.flakeBound.maxError * 0.5 ** (redBefore + 1) }
  const wanted = mayVary ? passesNeeded(bound) : redBefore > 0 ? 2 : 1
  for (let passed = 1; passed < wanted; passed += 1) {
    if (signal.aborted) return undecidedReport('interrupted')
    const again = await ask()
    if (again.status === 'failed') return flaky(asking, { passed, failed: 1 }, again)
    if (again.status !== 'passed') return again
  }
  return first
}

/** Asks on while only the environment stands in the way, up to the number of tries. */
async function askThroughTrouble(asking: Asking): Promise<VerifierReport> {
  const { ask, retry, clock, signal } = asking
  let report = await ask()
  for (let tries = 0; tries < retry.infrastructure && mayPass(report) && !signal.aborted; tries += 1) {
    await clock.sleep(firstPauseMs * 4 ** tries, signal)
    if (!isAborted(signal)) report = await ask()
  }
  return report
}

/** A program that is missing is not there a second later either, and a time limit is not worth reaching three times. */
function mayPass({ status, qualifiers, evidence }: VerifierReport): boolean {
  if (status !== 'error' || !qualifiers.includes('infrastructure')) return false
  return !evidence.some(
    (piece) =>
      piece.kind === 'command' && (piece.timedOut || piece.exitCode === 126 || piece.exitCode === 127),
  )
}

async function askAfterFailure(first: VerifierReport, asking: Asking): Promise<VerifierReport> {
  const { ask, retry, signal, name } = asking
  for (let failed = 1; failed <= retry.failure && !signal.aborted; failed += 1) {
    const report = await ask()
    if (report.status === 'passed') return await confirm(report, { passed: 0, failed }, asking, 'now')
    if (report.status !== 'failed') return report
  }
  if (asking.earlier() !== 'passed') return first
  const reason = `${first.reason}; ${name} passed earlier on the same tree, so it is flaky (1 pass, ${plural(1 + retry.failure)})`
  return { ...first, reason, qualifiers: [...first.qualifiers, 'flaky'] }
}

interface Counts {
  readonly passed: number
  readonly failed: number
}

/**
 * A pass that contradicts a failure on the same inputs. Where both came within this verification the check is flaky for
 * certain; where the failure is older, something that is no input may have been mended, and the sequential test decides.
 */
async function confirm(
  pass: VerifierReport,
  before: Counts,
  asking: Asking,
  failedWhen: 'now' | 'earlier',
): Promise<VerifierReport> {
  const { ask, checking, signal } = asking
  if (failedWhen === 'now' && checking.flaky === 'refuse') return flaky(asking, { ...before, passed: 1 })
  let tries: Tries = { passed: 1, failed: 0, passedInARow: 1 }
  let latest = pass
  while (judgeTries(tries, checking.flakeBound) === 'again') {
    if (signal.aborted) return undecidedReport('interrupted')
    latest = await ask()
    if (latest.status !== 'passed' && latest.status !== 'failed') return latest
    tries =
      latest.status === 'passed'
        ? { ...tries, passed: tries.passed + 1, passedInARow: tries.passedInARow + 1 }
        : { ...tries, failed: tries.failed + 1, passedInARow: 0 }
  }
  const counts = { passed: tries.passed, failed: before.failed + tries.failed }
  if (judgeTries(tries, checking.flakeBound) === 'flaky') return flaky(asking, counts, latest)
  const reason = `${latest.reason}; it passed ${counts.passed} times in a row after ${plural(counts.failed)} on the same tree`
  const qualifiers = failedWhen === 'now' ? [...latest.qualifiers, 'flaky' as const] : [...latest.qualifiers]
  return { ...latest, reason, qualifiers }
}

/** It does not verify, unless somebody has put it into quarantine: then it is left out, with words. */
function flaky(asking: Asking, { passed, failed }: Counts, latest?: VerifierReport): VerifierReport {
  const { name, checking, clock } = asking
  const found = `${name} is flaky: it failed ${failed} of ${passed + failed} times on the same tree`
  const waiver = waiverOf(name, checking.quarantine, clock.nowMs())
  const evidence = latest?.evidence ?? []
  if (waiver === undefined) {
    const wayOut = 'make it steady, or put it into quarantine (quarantine: [{ check, by, until, reason }])'
    return { ...undecidedReport(`${found}; ${wayOut}`, 'flaky'), evidence }
  }
  const { by, until, reason } = waiver
  const words = `${found}; in quarantine by ${by} until ${until}: ${reason}`
  return { status: 'skipped', reason: words, canRetry: true, qualifiers: ['flaky', 'waived'], evidence }
}

function plural(failures: number): string {
  return failures === 1 ? '1 failure' : `${failures} failures`
}
