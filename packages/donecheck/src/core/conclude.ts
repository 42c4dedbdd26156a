/** The end of a turn: look, check, then stop or go on. Also asked before a call, where a cap may be reached already. */
import { findingKey, type CapName, type Finding, type LastCheck, type RunState } from '../events/index.ts'
import { currentVerdict, isComplete } from './completion.ts'
import { callModel } from './call-model.ts'
import type { Decision } from './decision.ts'
import { goOn } from './go-on.ts'
import type { Judgement } from './judgement.ts'
import { isMidTurn } from './mid-turn.ts'
import { firstStop, type StopCandidate } from './stop-order.ts'
import { stopCandidates } from './stop-candidates.ts'
import { stopTransition } from './transition.ts'
import { verificationTrigger } from './verification.ts'
import { runsLast } from './policy.ts'
import { withSummary } from './wrap-up/index.ts'

type StopFinding = Extract<Finding, { level: 'stop' }>

/** @param ends findings of rules that ask for an end */
export function conclude(state: RunState, judgement: Judgement, ends: readonly StopFinding[]): Decision {
  if (isMidTurn(state) && ends.length === 0) return callModel(state)
  const look = lookFirst(state)
  if (look !== undefined) return look
  const verdict = state.phase.kind === 'judging' ? currentVerdict(state, judgement.policy) : undefined
  const reachedCap = ends.map(({ stop }) => (stop.reason === 'hard_cap' ? stop.cap : undefined)).find(Boolean)
  const candidates = [
    ...stopCandidates(
      state,
      verdict,
      // Whom a rule stops cannot be asked for its claim.
      isComplete(state, verdict, ends.length > 0),
      reachedCap !== undefined,
    ),
    ...ends.map((finding): StopCandidate => ({ ...finding.stop, message: finding.message })),
  ]
  const winner = firstStop(candidates)
  if (winner === undefined) {
    const endsTurn = state.phase.kind === 'judging' && state.turnOpen
    return endsTurn ? goOn(state, judgement.prompts, verdict) : callModel(state)
  }
  if (winner.reason !== 'error' && isLastCheckDue(state, ends)) return verify(state, 'cap')
  const last = winner.reason === 'task_complete' ? verifyLast(state) : undefined
  if (last !== undefined) return last
  const told = ends.find((finding) => finding.message === winner.message)
  if (told !== undefined && !state.noted.includes(findingKey(told))) return { kind: 'note', finding: told }
  const needsCap = !isComplete(state, verdict, false)
  const words =
    winner.reason === 'task_complete'
      ? atCapWords(state, ends, reachedCap, needsCap)
      : lastWords(state, ends, told)
  return withSummary(state, judgement.prompts, stopTransition(state, winner, words))
}

/** The turn's effects are looked at once, and checked where the user wants it. */
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

/** Checks that the drive has never seen, and probes, speak last, and only of work that all others call done. */
function verifyLast(state: RunState): Decision | undefined {
  const { verifiers } = state.settings
  if (state.lastChecksAsked || !verifiers.some(({ role }) => runsLast(role))) return undefined
  const asked = verifiers.filter(({ role }) => role !== 'check')
  return { kind: 'verify', trigger: 'held-out', verifiers: asked.map(({ name }) => name) }
}

/** I10: finished work is never reported as a failure, so whatever ends a run early is preceded by one last hard check. */
function isLastCheckDue(state: RunState, ends: readonly StopFinding[]): boolean {
  if (ends.length === 0 || !state.settings.verifyAtCap) return false
  return state.unverifiedWork && state.settings.verifiers.some(({ role }) => !runsLast(role))
}

/** A success that was found by the last check, or for which the cap stands in for the claim, says at which cap. */
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

/** @param told the finding that won, if it was one */
function lastWords(state: RunState, ends: readonly StopFinding[], told: StopFinding | undefined) {
  const findings = ends.map(({ rule }) => rule)
  return told === undefined ? { findings } : { findings, lastCheck: lastCheckOf(state) }
}

function lastCheckOf(state: RunState): LastCheck {
  if (state.phase.kind === 'judging' && state.phase.verifiedBy !== undefined) return 'run'
  return state.settings.verifiers.length === 0 || !state.unverifiedWork ? 'nothing-to-check' : 'switched-off'
}
