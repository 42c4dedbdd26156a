/**
 * Codex and Qwen Code have a tool by which the model says of itself that its goal is reached: a claim in the middle of a
 * turn. A second hook is registered for it, with the time that a verification takes; the first one leaves it alone.
 */
import type { HookRegistration, HostReading } from '../hook-protocol.ts'
import { payloadOf, textIn } from './payload.ts'

const tool = 'update_goal'

/** As it stands in the command of the hook. */
const word = 'UpdateGoal'

export const goalRegistration: HookRegistration = {
  event: 'PreToolUse',
  as: word,
  matcher: `^${tool}$`,
  verifies: true,
}

/** The agent's own name of an event that stands in the command of a hook. */
export function eventOfWord(event: string): string {
  return event === word ? goalRegistration.event : event
}

/** @param event as it stands in the command of the hook */
export function withGoalClaim(event: string, payload: unknown, reading: HostReading): HostReading {
  if (reading.kind !== 'read') return reading
  const isClaim = claimsGoal(payload)
  if (event !== word) return isClaim ? { ...reading, event: { kind: 'irrelevant' } } : reading
  if (!isClaim) return { ...reading, event: { kind: 'irrelevant' } }
  return {
    ...reading,
    event: { kind: 'stopping', text: 'The goal is complete.', wasSentBack: false, waitingFor: [] },
  }
}

function claimsGoal(payload: unknown): boolean {
  const fields = payloadOf(payload)
  const args = payloadOf(fields?.['tool_input'])
  return textIn(fields, 'tool_name') === tool && textIn(args, 'status') === 'complete'
}

/** For a trial: what stands in a payload beside what all have. */
export const goalSample = { tool_name: tool, tool_input: { status: 'complete' }, tool_use_id: 'trial-2' }
