import { goalDecision } from './goal.ts'
import { findingKey, type PendingCall, type RunState } from '../state/index.ts'
import type { StopTransition } from '../events/transitions/index.ts'
import { deadlineOf, firstCalls, leftUnder } from '../rules/caps/index.ts'
import { conclude } from './turn-end/conclude.ts'
import type { Decision, Judgement } from './decision.ts'
import { vetoOf } from '../rules/detectors/index.ts'
import { runsLast, unanswerable } from './aggregate/index.ts'
import { stopTransition } from './stops/index.ts'
import { endDecided } from './final-summary.ts'

/** Maps a state to the next decision. The same state gives the same decision (I3, I11). */
export function decide(state: RunState, judgement: Judgement): Decision {
  const { phase } = state
  if (phase.kind === 'stopped') return { kind: 'stop', transition: phase.transition }
  if (state.interruptedBy !== undefined) return { kind: 'stop', transition: interruptedStop(state) }
  const end = endDecided(state) ?? goalDecision(state)
  if (end !== undefined) return end
  const findings = judgement.rules.flatMap((rule) => rule(state) ?? [])
  const news = findings.find(
    (finding) => finding.level !== 'stop' && !state.noted.includes(findingKey(finding)),
  )
  if (news !== undefined) return { kind: 'note', finding: news }
  const ends = findings.filter((finding) => finding.level === 'stop')
  switch (phase.kind) {
    case 'starting':
      return (
        prepare(state, phase.baselineDone) ??
        withoutTurn(state, judgement) ??
        conclude(state, judgement, ends)
      )
    case 'calling':
      return { kind: 'wait', on: 'model' }
    case 'acting':
      return act(
        state,
        phase.pending,
        ends.some(({ stop }) => stop.reason === 'hard_cap'),
      )
    case 'verifying':
      return { kind: 'verify', trigger: phase.trigger, verifiers: phase.awaiting }
    case 'idle':
    case 'retrying':
    case 'agent-failed':
    case 'judging':
      return conclude(state, judgement, ends)
  }
}

function prepare(state: RunState, baselineDone: boolean): Decision | undefined {
  if (state.workFolder !== null && state.workspace.baseline === undefined) return { kind: 'observe' }
  const verifiers = state.settings.verifiers
    .filter(({ reads, role }) => reads === 'workspace' && !runsLast(role))
    .map(({ name }) => name)
  return baselineDone || verifiers.length === 0
    ? undefined
    : { kind: 'verify', trigger: 'baseline', verifiers }
}

function withoutTurn(state: RunState, { hostOwnsLoop }: Judgement): Decision | undefined {
  const candidate = hostOwnsLoop === true ? undefined : unanswerable(state)
  return candidate && { kind: 'stop', transition: stopTransition(state, candidate, {}) }
}

/** Runs the calls that fit under the tool-call cap and refuses the rest (I9). */
function act(state: RunState, pending: readonly PendingCall[], isCapped: boolean): Decision {
  if (pending.some(({ announcedAs }) => announcedAs !== undefined)) return { kind: 'wait', on: 'tools' }
  const callIds = pending.map(({ call }) => call.callId)
  const left = leftUnder(state, 'toolCalls')
  const veto = isCapped || left <= 0 ? undefined : vetoOf(state, pending)
  if (veto !== undefined) return { kind: 'refuse-tools', by: 'detector', ...veto }
  if (isCapped || left <= 0)
    return { kind: 'refuse-tools', by: 'cap', callIds, reason: 'a hard cap of this run is reached' }
  const first = firstCalls(state, pending)
  if (first.kind === 'over')
    return { kind: 'refuse-tools', by: 'cap', callIds: first.callIds, reason: first.reason }
  return { kind: 'run-tools', callIds: first.callIds.slice(0, left), deadlineMs: deadlineOf(state) }
}

function interruptedStop(state: RunState): StopTransition {
  const message = `interrupted by ${state.interruptedBy ?? 'its user'}; it can be resumed`
  return stopTransition(state, { reason: 'user_interrupt', message }, {})
}
