/** Also runs before a call, because a cap may already be reached. */
import { findingKey, isMidTurn, type RunState } from '../../state/index.ts'
import type { Finding, VerificationTrigger } from '../../events/index.ts'
import type { LastCheck, StopReason } from '../../events/transitions/index.ts'
import type { CapName } from '../../budgets/index.ts'
import { currentVerdict, isComplete, runsLast } from '../aggregate/index.ts'
import type { Decision, Judgement } from '../decision.ts'
import { goOn } from './go-on.ts'
import { firstStop, type StopCandidate, stopTransition } from '../stops/index.ts'
import { waitBefore, stopCandidates } from './stop-candidates.ts'
import { replyFirst, withReplyEnd } from '../replies.ts'
import { withSummary } from '../final-summary.ts'
import { affordableOutputTokens, deadlineOf } from '../../rules/caps/index.ts'

type StopFinding = Extract<Finding, { level: 'stop' }>

/** @param ends findings of rules that ask for an end */
export function conclude(state: RunState, judgement: Judgement, ends: readonly StopFinding[]): Decision {
  if (isMidTurn(state) && ends.length === 0) return callModel(state)
  const look = lookFirst(state)
  if (look !== undefined) return look
  const verdict = state.phase.kind === 'judging' ? currentVerdict(state, judgement.aggregate) : undefined
  const reachedCap = ends.map(({ stop }) => (stop.reason === 'hard_cap' ? stop.cap : undefined)).find(Boolean)
  const candidates = [
    ...stopCandidates(state, verdict, isComplete(state, verdict, ends.length > 0), {
      atCap: reachedCap !== undefined,
      hostOwnsLoop: judgement.hostOwnsLoop === true,
    }),
    ...ends.map((finding): StopCandidate => ({ ...finding.stop, message: finding.message })),
  ]
  const winner = firstStop(candidates)
  if (winner === undefined) {
    const endsTurn = state.phase.kind === 'judging' && state.turnOpen
    return endsTurn ? goOn(state, judgement.prompts, verdict) : callModel(state)
  }
  if (winner.reason !== 'error' && isLastCheckDue(state, ends)) return verify(state, 'cap')
  const hidden = mayLastChecksVerify(state, winner.reason, ends) ? verifyLast(state) : undefined
  if (hidden !== undefined) return hidden
  const mayBeVerified = winner.reason === 'task_complete' || mayReplyVerify(state, winner.reason)
  const last = mayBeVerified ? verifyLast(state) : undefined
  if (last !== undefined) return last
  const reported = ends.find((finding) => finding.message === winner.message)
  if (reported !== undefined && !state.noted.includes(findingKey(reported)))
    return { kind: 'note', finding: reported }
  const needsCap = !isComplete(state, verdict, false)
  const words =
    winner.reason === 'task_complete'
      ? atCapWords(state, ends, reachedCap, needsCap)
      : finalMessage(state, ends, reported)
  const end = stopTransition(state, winner, words)
  const isAnswer = state.phase.kind === 'judging' && candidates.some(isAccepted)
  const reply = replyFirst(state, judgement.prompts, { end, isAnswer, mayGoOn: ends.length === 0 })
  return reply ?? withSummary(state, judgement.prompts, withReplyEnd(state, end, isAnswer))
}

/** A deciding judge may still make this reply a success. */
function mayReplyVerify({ settings, replyCheck }: RunState, reason: StopReason): boolean {
  return (
    reason === 'model_ended' && settings.replyCheck?.verifies === true && replyCheck?.settled === undefined
  )
}

/** If only hidden last checks decide, they run before any other end. */
function mayLastChecksVerify(
  { settings, turn }: RunState,
  reason: StopReason,
  ends: readonly StopFinding[],
): boolean {
  const deciding = settings.verifiers.filter(({ required, role }) => required && role !== 'guard')
  const areHidden = deciding.some(({ role }) => role === 'held-out')
  if (!areHidden || deciding.some(({ role }) => role === 'check')) return false
  return (
    reason === 'model_ended' || (reason !== 'error' && turn > 0 && ends.length > 0 && settings.verifyAtCap)
  )
}

function isAccepted({ reason }: StopCandidate): boolean {
  return reason === 'task_complete' || reason === 'model_ended'
}

/** Observes the turn's effects once, and verifies them if configured. */
function lookFirst(state: RunState): Decision | undefined {
  const { phase } = state
  if (phase.kind !== 'judging' || phase.verifiedBy !== undefined) return undefined
  if (!phase.observed && state.tally.mayHaveChanged && state.workFolder !== null) return { kind: 'observe' }
  const trigger = verificationTrigger(state)
  return trigger === undefined ? undefined : verify(state, trigger)
}

function verify(state: RunState, trigger: 'change' | 'claim' | 'turn' | 'cap'): Decision {
  const shown = state.settings.verifiers.filter(({ role }) => !runsLast(role))
  return { kind: 'verify', trigger, verifiers: shown.map(({ name }) => name) }
}

/** Hidden checks and probes run last, only after all others passed. */
function verifyLast(state: RunState): Decision | undefined {
  const { verifiers } = state.settings
  if (state.lastChecksAsked || !verifiers.some(({ role }) => runsLast(role))) return undefined
  const asked = verifiers.filter(({ role }) => role !== 'check')
  return { kind: 'verify', trigger: 'held-out', verifiers: asked.map(({ name }) => name) }
}

/** I10: finished work is never reported as a failure, so one last hard check precedes every early end. */
function isLastCheckDue(state: RunState, ends: readonly StopFinding[]): boolean {
  if (ends.length === 0 || !state.settings.verifyAtCap) return false
  const isOpen = state.unverifiedWork || waitsForApproval(state)
  return isOpen && state.settings.verifiers.some(({ role }) => !runsLast(role))
}

/** All failures come from changed checks and no person was asked yet; the agent gets one turn first. */
function waitsForApproval({ phase, settings, checks }: RunState): boolean {
  if (phase.kind === 'judging' && phase.verifiedBy === 'cap') return false
  const verdicts = settings.verifiers.flatMap(({ name, required }) =>
    required ? (checks[name]?.latest ?? []) : [],
  )
  const red = verdicts.filter(({ status }) => status !== 'passed' && status !== 'skipped')
  return (
    red.length > 0 && red.every(({ qualifiers, canRetry }) => canRetry && qualifiers.includes('tampered'))
  )
}

/** Names the cap if the last check passed at a cap, or the cap replaced the claim. */
function atCapWords(
  state: RunState,
  ends: readonly StopFinding[],
  reachedCap: CapName | undefined,
  needsCap: boolean,
) {
  const wasLast = state.phase.kind === 'judging' && state.phase.verifiedBy === 'cap'
  return reachedCap !== undefined && (wasLast || needsCap)
    ? { atCap: reachedCap, lastCheck: 'run' as const }
    : { findings: ends.map(({ rule }) => rule) }
}

/** @param reported the winning finding, if any */
function finalMessage(state: RunState, ends: readonly StopFinding[], reported: StopFinding | undefined) {
  const findings = ends.map(({ rule }) => rule)
  return reported === undefined ? { findings } : { findings, lastCheck: lastCheckOf(state) }
}

function lastCheckOf(state: RunState): LastCheck {
  if (state.phase.kind === 'judging' && state.phase.verifiedBy !== undefined) return 'run'
  return state.settings.verifiers.length === 0 || !state.unverifiedWork ? 'nothing-to-check' : 'switched-off'
}

/** The next attempt of this turn after a failure, or the first of the next turn. */
function callModel(state: RunState): Decision {
  const { phase } = state
  const isRetry = phase.kind === 'retrying'
  const wait = isRetry ? waitBefore(phase) : undefined
  if (wait !== undefined) return { kind: 'wait', on: 'provider', ...wait }
  return {
    kind: 'call-model',
    turn: isRetry || state.turnOpen ? state.turn : state.turn + 1,
    attempt: isRetry ? phase.attempt + 1 : 1,
    maxOutputTokens: affordableOutputTokens(state),
    deadlineMs: deadlineOf(state),
  }
}

/** Why the checks run at the end of this turn, if they do. Caps are handled in `conclude`. */
export function verificationTrigger(
  state: RunState,
): Extract<VerificationTrigger, 'turn' | 'claim' | 'change'> | undefined {
  if (state.settings.verifiers.every(({ role }) => runsLast(role))) return undefined
  const { claimed } = state.tally
  if (state.goal.unaskedChecks.length > 0) return 'turn'
  if (Object.values(state.checks).some(({ latest }) => latest?.status === 'pending')) return 'turn'
  switch (state.settings.verifyWhen) {
    case 'every-turn':
      return 'turn'
    case 'on-claim':
      return claimed ? 'claim' : undefined
    case 'on-change':
      return hasChangedSinceVerification(state) ? 'change' : undefined
    case 'on-change-or-claim':
      if (claimed) return 'claim'
      return hasChangedSinceVerification(state) ? 'change' : undefined
  }
}

function hasChangedSinceVerification(state: RunState): boolean {
  const { baseline, current, verified } = state.workspace
  if (current === undefined) return state.tally.mayHaveChanged
  return current !== (verified ?? baseline)
}
