/** Repeats checks on infrastructure errors and contradicting results. */
import { plural } from '@donecheck/core/internal/base'
import type { Clock } from '../../../ports/loop.ts'
import { undecidedResult, type RetryPolicy, type VerifierResult } from '../../../ports/checks.ts'
import { isAborted } from '../perform/settle-within.ts'
import { waiverOf, type Checking } from '../session/world.ts'

export interface Asking {
  readonly name: string
  /** @param isRepeated it passed on this tree just now */
  readonly ask: (isRepeated: boolean) => Promise<VerifierResult>
  readonly retry: RetryPolicy
  /** Earlier result on the same inputs; undefined if there is none. */
  readonly earlier: () => 'passed' | 'failed' | 'flaky' | undefined
  /** Consecutive non-passes on other trees of the run, without the baseline. Default: 0. */
  readonly redBefore?: number
  /** Whether the change uses randomness or time, so that one tree may give two results. Default: false. */
  readonly mayVary?: boolean
  readonly checking: Pick<Checking, 'quarantine'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Before the second try; each further pause is four times as long. */
const firstPauseMs = 500

/** Needed after a failure on the same inputs: a check that fails half the time passes them once in eight. */
const passesAfterFailure = 3

export async function askUntilSettled(asking: Asking): Promise<VerifierResult> {
  const first = await askThroughTrouble(asking)
  if (first.status === 'failed') return await askAfterFailure(first, asking)
  if (first.status !== 'passed' || first.qualifiers.includes('pre-existing')) return first
  switch (asking.earlier()) {
    case 'passed':
      return first
    case 'failed':
      return await confirmAfterFailure(first, asking)
    // Stays flaky while the tree is the same.
    case 'flaky':
      return flaky(asking, { passed: 1, failed: 1 })
    case undefined:
      return await confirmFirstGreen(first, asking)
  }
}

/** Repeats the first pass after failures: the agent may have retried until it passed by chance. */
async function confirmFirstGreen(first: VerifierResult, asking: Asking): Promise<VerifierResult> {
  const { redBefore = 0, mayVary = false } = asking
  const wanted = mayVary ? passesAfterFailure + redBefore + 1 : redBefore > 0 ? 2 : 1
  return passAgain(first, wanted, 0, asking)
}

/** Something outside the inputs may have been fixed since. */
async function confirmAfterFailure(pass: VerifierResult, asking: Asking): Promise<VerifierResult> {
  const report = await passAgain(pass, passesAfterFailure, 1, asking)
  if (report.status !== 'passed') return report
  const reason = `${report.reason}; it passed ${passesAfterFailure} times in a row after 1 failure on the same tree`
  return { ...report, reason }
}

async function passAgain(
  first: VerifierResult,
  wanted: number,
  failedBefore: number,
  asking: Asking,
): Promise<VerifierResult> {
  for (let passed = 1; passed < wanted; passed += 1) {
    if (asking.signal.aborted) return undecidedResult('interrupted')
    const again = await asking.ask(true)
    if (again.status === 'failed') return flaky(asking, { passed, failed: failedBefore + 1 }, again)
    if (again.status !== 'passed') return again
  }
  return first
}

/** Repeats while only infrastructure fails, up to the retry limit. */
async function askThroughTrouble(asking: Asking): Promise<VerifierResult> {
  const { ask, retry, clock, signal } = asking
  let report = await ask(false)
  for (let tries = 0; tries < retry.infrastructure && mayPass(report) && !signal.aborted; tries += 1) {
    await clock.sleep(firstPauseMs * 4 ** tries, signal)
    if (!isAborted(signal)) report = await ask(false)
  }
  return report
}

/** A missing program or a timeout is not worth a retry. */
function mayPass({ status, qualifiers, evidence }: VerifierResult): boolean {
  if (status !== 'error' || !qualifiers.includes('infrastructure')) return false
  return !evidence.some(
    (piece) =>
      piece.kind === 'command' && (piece.timedOut || piece.exitCode === 126 || piece.exitCode === 127),
  )
}

async function askAfterFailure(first: VerifierResult, asking: Asking): Promise<VerifierResult> {
  const { ask, retry, signal, name } = asking
  for (let failed = 1; failed <= retry.failure && !signal.aborted; failed += 1) {
    const report = await ask(false)
    if (report.status === 'passed') return flaky(asking, { passed: 1, failed })
    if (report.status !== 'failed') return report
  }
  if (asking.earlier() !== 'passed') return first
  const reason = `${first.reason}; ${name} passed earlier on the same tree, so it is flaky (1 pass, ${plural(1 + retry.failure, 'failure')})`
  return { ...first, reason, qualifiers: [...first.qualifiers, 'flaky'] }
}

/** Does not verify; skipped if a user has quarantined the check. */
function flaky(
  asking: Asking,
  { passed, failed }: { readonly passed: number; readonly failed: number },
  latest?: VerifierResult,
): VerifierResult {
  const { name, checking, clock } = asking
  const found = `${name} is flaky: it failed ${failed} of ${passed + failed} times on the same tree`
  const waiver = waiverOf(name, checking.quarantine, clock.nowMs())
  const evidence = latest?.evidence ?? []
  if (waiver === undefined) {
    const wayOut = 'make it steady, or put it into quarantine (quarantine: [{ check, by, until, reason }])'
    return { ...undecidedResult(`${found}; ${wayOut}`, 'flaky'), evidence }
  }
  const { by, until, reason } = waiver
  const words = `${found}; in quarantine by ${by} until ${until}: ${reason}`
  return { status: 'skipped', reason: words, canRetry: true, qualifiers: ['flaky', 'waived'], evidence }
}
