/**
 * Codex and Qwen Code have a tool by which the model says of itself that its goal is reached: a claim in the middle of a
 * turn. A second hook is registered for it, with the time that a verification takes; the first one leaves it alone.
 */
import type { HostEvent } from '../host/index.ts'
import type { HookRow } from './hook-table.ts'
import { payloadOf, textIn, type Payload } from './payload.ts'

const tool = 'update_goal'

export const goalClaim: HookRow = {
  event: 'PreToolUse',
  as: 'UpdateGoal',
  tells: 'proposal',
  matcher: `^${tool}$`,
  verifies: true,
  read: (_usual, fields) =>
    claimsGoal(fields)
      ? { kind: 'stopping', text: 'The goal is complete.', wasBlocked: false, waitingFor: [] }
      : { kind: 'irrelevant' },
  sample: { tool_name: tool, tool_input: { status: 'complete' }, tool_use_id: 'trial-2' },
}

/** For the other hooks of calls. */
export function unlessGoal(usual: HostEvent, fields: Payload): HostEvent {
  return claimsGoal(fields) ? { kind: 'irrelevant' } : usual
}

function claimsGoal(fields: Payload): boolean {
  return (
    textIn(fields, 'tool_name') === tool && textIn(payloadOf(fields['tool_input']), 'status') === 'complete'
  )
}
