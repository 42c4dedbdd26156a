/** Every end that the turn itself offers. Rules add theirs; `decide/stops` chooses. */
import { latestVerdicts, type RunState, type Retrying } from '../../state/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import {
  completionMessage,
  hasChangedWorkspace,
  hasNews,
  unverifiedMessage,
  type AggregateVerdict,
} from '../aggregate/index.ts'
import { nudgeDue } from '../../rules/soft-verifiers/index.ts'
import type { StopCandidate } from '../stops/index.ts'
import { plural } from '../../base/index.ts'
import type { EpochMs } from '../../events/index.ts'

/** A check that cannot run is reported to the agent once, then the run is blocked. */
const infrastructureErrorsUntilBlocked = 2
/** A check that cannot decide (a timeout, a crash) may be the work's fault: one more attempt. */
const errorsUntilBlocked = 3
/** While the agent keeps changing the tree it may still install what the check needs. */
const infrastructureErrorsOfAnyTree = 4

export function stopCandidates(
  state: RunState,
  verdict: AggregateVerdict | undefined,
  isComplete: boolean,
  { atCap, hostOwnsLoop }: { readonly atCap: boolean; readonly hostOwnsLoop: boolean },
): readonly StopCandidate[] {
  const { phase } = state
  if (phase.kind === 'agent-failed') return [{ reason: 'error', message: phase.failure.message }]
  if (phase.kind === 'retrying') return [endOfRetries(state, phase)].filter((end) => end !== undefined)
  if (phase.kind !== 'judging') return []
  return [
    isComplete ? complete(state) : undefined,
    phase.verifiedBy === undefined ? undefined : unrecoverable(state),
    blockedCandidate(state, atCap, hostOwnsLoop),
    blockerCandidate(state),
    verdict?.status === 'pending' ? awaiting(state, verdict) : undefined,
    nudgeDue(state) === undefined ? lazyEnd(state, verdict) : undefined,
  ].filter((candidate) => candidate !== undefined)
}

function complete(state: RunState): StopCandidate {
  return { reason: 'task_complete', message: completionMessage(state) }
}

function unrecoverable(state: RunState): StopCandidate | undefined {
  const failed = requiredVerdicts(state).filter(({ status, canRetry }) => status === 'failed' && !canRetry)
  if (failed.length === 0) return undefined
  const tampered = failed.filter(({ qualifiers }) => qualifiers.includes('tampered'))
  const isTampered = tampered.length > 0
  return {
    reason: 'verifier_failed_unrecoverable',
    message: reasonsOf(isTampered ? tampered : failed),
    tampered: isTampered,
  }
}

/** Checks that repeatedly cannot decide, or cannot decide at the end of the budget. */
function blockedCandidate(state: RunState, atCap: boolean, hostOwnsLoop: boolean): StopCandidate | undefined {
  const open = requiredVerdicts(state).filter(({ status }) => status !== 'passed' && status !== 'skipped')
  // No turn makes it decide, such as a silent judge. A host is told and decides about another turn itself.
  const isFatal = ({ status, canRetry }: Verdict) => !hostOwnsLoop && status === 'error' && !canRetry
  const stuck = open.filter(
    (verdict) => isFatal(verdict) || isStuck(verdict, state) || (atCap && isOutside(verdict)),
  )
  if (stuck.length === 0 || stuck.length < open.length) return undefined
  return { reason: 'blocked', message: reasonsOf(stuck) }
}

/** An agent that changes the tree may still add what the check needs. */
function isStuck(verdict: Verdict, state: RunState): boolean {
  const { failureStreak = 0, errorStreak = 0 } = state.checks[verdict.verifier] ?? {}
  if (isOutside(verdict) && errorStreak >= infrastructureErrorsOfAnyTree) return true
  if (!state.tally.claimed || state.unchangedClaims === 0) return false
  // It fails only because its files changed, and the agent keeps its version.
  if (verdict.qualifiers.includes('tampered')) return failureStreak >= 2
  return errorStreak >= (isOutside(verdict) ? infrastructureErrorsUntilBlocked : errorsUntilBlocked)
}

/** It cannot run, or its exit code does not depend on the work. */
function isOutside({ status, qualifiers }: Verdict): boolean {
  return status === 'error' && (qualifiers.includes('infrastructure') || qualifiers.includes('unverifiable'))
}

const blockedTurns = 3

function blockerCandidate({ goal: { blocker } }: RunState): StopCandidate | undefined {
  if (blocker?.isReported !== true || blocker.turns < blockedTurns) return undefined
  const message = `the agent is blocked: ${blocker.text} (${blocker.turns} turns in a row)`
  return { reason: 'blocked', message }
}

function awaiting(state: RunState, { because }: AggregateVerdict): StopCandidate {
  const reasons = because.flatMap((name) => state.checks[name]?.latest?.reason ?? [])
  return { reason: 'awaiting_approval', message: [...new Set(reasons)].join('; ') || because.join(', ') }
}

/** Lazy tier: the model's claim ends a run only if no check could decide, and never as a success. */
export function lazyEnd(state: RunState, verdict: AggregateVerdict | undefined): StopCandidate | undefined {
  if (!state.tally.claimed || hasNews(state) || state.goal.status === 'waiting') return undefined
  const unverified = verdict?.status === 'passed' ? unverifiedMessage(state) : undefined
  if (unverified !== undefined) return { reason: 'model_ended', message: unverified }
  if (verdict?.status === 'skipped')
    return { reason: 'model_ended', message: 'the agent ended its turn, and no check could decide' }
  const repeatsItself = state.unchangedClaims >= 1 && !hasChangedWorkspace(state)
  if (verdict?.status !== 'passed' || !repeatsItself) return undefined
  return {
    reason: 'model_ended',
    message:
      'the agent claims to be done; the checks were green before it began, and nothing has changed since',
  }
}

function reasonsOf(verdicts: readonly Verdict[]): string {
  return verdicts.map(({ reason }) => reason).join('; ')
}

function requiredVerdicts(state: RunState): readonly Verdict[] {
  return latestVerdicts(state).flatMap(({ verifier, verdict }) => (verifier.required ? [verdict] : []))
}

export interface ProviderWait {
  readonly for: 'provider' | 'limit'
  readonly untilMs: EpochMs
  readonly reason: string
}

/** An address that has never responded in this run is probably wrong. */
const unansweredMs = 8000
/** Calls that the provider accepted without returning a usable reply. */
const maxBrokenReplies = 4

export function waitBefore({ wait, failure, untilMs }: Retrying): ProviderWait | undefined {
  if (wait === 'over') return undefined
  return { for: waitsForReset(failure) ? 'limit' : 'provider', untilMs, reason: failure.message }
}

/** Undefined while the run may wait and retry. */
function endOfRetries(state: RunState, retrying: Retrying): StopCandidate | undefined {
  const { failure, attempt, refusedSinceMs, untilMs, wait } = retrying
  const { providerMs, limitMs } = state.settings.providerWaits
  const waitedMs = untilMs - refusedSinceMs
  // A wait that has started was within its limit.
  const isOver = (limit: number) => wait === 'due' && waitedMs > limit
  const said = `${failure.message} (tried ${plural(attempt, 'time')})`
  switch (failure.kind) {
    case 'interrupted':
      return undefined
    case 'usage-limited':
      if (isOver(waitsForReset(failure) ? limitMs : providerMs)) return beyondLimit(state, retrying)
      return undefined
    case 'rate-limited':
    case 'server-error':
      return isOver(providerMs) ? { reason: 'error', message: `${said}${longer}` } : undefined
    case 'network':
    case 'timeout':
      if (state.replies > 0 && isOver(providerMs)) return { reason: 'error', message: `${said}${longer}` }
      if (state.replies === 0 && isOver(Math.min(unansweredMs, providerMs)))
        return { reason: 'error', message: said }
      return undefined
    case 'cut-off':
    case 'malformed':
    case 'refused':
    case 'configuration':
      return wait === 'due' && attempt >= maxBrokenReplies ? { reason: 'error', message: said } : undefined
  }
}

const longer = '. To wait longer: set waitForProvider'

function waitsForReset({ kind, resetsAtMs }: Retrying['failure']): boolean {
  return kind === 'usage-limited' && resetsAtMs !== undefined
}

function beyondLimit({ runId, settings }: RunState, { failure, untilMs }: Retrying): StopCandidate {
  const bound =
    settings.providerWaits.limitMs === 0 ? 'nothing waits for it' : 'later than waitForLimit allows'
  const when = new Date(untilMs).toISOString().replace('T', ' ').slice(0, 16)
  const reset = waitsForReset(failure)
    ? `The limit resets at ${when} UTC, ${bound}`
    : 'When it resets is not known'
  return { reason: 'blocked', message: `${failure.message}. ${reset}. Then: donecheck resume ${runId}` }
}
