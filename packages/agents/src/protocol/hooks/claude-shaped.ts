import { textIn, type HostEvent, type Payload } from '../host/index.ts'
import type { FieldNames, HookRow, HookTable, SampleContext, Say } from './hook-table.ts'

interface AnswerDialect {
  /** Can ask its user; otherwise the call is refused, which is not weaker. */
  readonly canAsk: boolean
  /** Events where `continue: false` ends the turn. Elsewhere some agents treat it as a pass. */
  readonly endsAt: readonly ('proposal' | 'result' | 'claim')[]
}

export const claudeFields: FieldNames = { callId: 'tool_use_id', claim: 'last_assistant_message' }

/** @param more adds the agent's own fields */
export function claudeSample(more: (place: SampleContext) => object): HookTable['sample'] {
  return (place, event) => ({
    ...{ session_id: place.sessionId, cwd: place.folder, hook_event_name: event, permission_mode: 'default' },
    ...more(place),
  })
}

/** An agent that may stop has ended its turn; context would continue it, so a claim has none. */
export function claudeAnswers({
  canAsk,
  endsAt,
}: AnswerDialect): Pick<HookTable, 'answers' | 'notice' | 'effect'> {
  const ends = (moment: AnswerDialect['endsAt'][number]) => endsAt.includes(moment)
  return {
    notice: messageToPerson,
    answers: {
      start: { context: contextFor },
      prompt: { context: contextFor, objection: block },
      proposal: {
        context: contextFor,
        ...(canAsk ? { permission: (reason, { event }) => decidePermission(event, 'allow', reason) } : {}),
        objection: (reason, { event, answer }) =>
          decidePermission(event, canAsk && answer.kind === 'ask' ? 'ask' : 'deny', reason),
        // With `continue: false` alone the call still ran.
        end: (reason, { event }) => ({
          ...(ends('proposal') ? endTurn(reason) : {}),
          ...decidePermission(event, 'deny', reason),
        }),
      },
      result: { context: contextFor, objection: block, end: ends('result') ? endTurn : block },
      claim: { objection: block, end: ends('claim') ? endTurn : messageToPerson },
    },
    effect(said) {
      if (textIn(said['hookSpecificOutput'], 'permissionDecision') === 'deny') return 'refused'
      if (said['continue'] === false) return ends('claim') ? 'ended' : 'invalid'
      if (said['decision'] !== 'block') return 'passed'
      return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
    },
  }
}

function block(reason: string): object {
  return { decision: 'block', reason }
}

function endTurn(stopReason: string): object {
  return { continue: false, stopReason }
}

export function messageToPerson(systemMessage: string): object {
  return { systemMessage }
}

function decidePermission(
  hookEventName: string,
  permissionDecision: 'allow' | 'deny' | 'ask',
  permissionDecisionReason: string,
): object {
  return { hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason } }
}

export const contextFor: Say = (additionalContext, { event }) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext },
})

const goalTool = 'update_goal'

/** Codex and Qwen Code claim a goal with a tool; a second hook there has time for a verification. */
export const goalClaim: HookRow = {
  event: 'PreToolUse',
  as: 'UpdateGoal',
  tells: 'proposal',
  matcher: `^${goalTool}$`,
  verifies: true,
  read: (_usual, fields) =>
    claimsGoal(fields)
      ? { kind: 'stopping', text: 'The goal is complete.', wasBlocked: false, waitingFor: [] }
      : { kind: 'irrelevant' },
  sample: { tool_name: goalTool, tool_input: { status: 'complete' }, tool_use_id: 'trial-2' },
}

export function unlessGoal(usual: HostEvent, fields: Payload): HostEvent {
  return claimsGoal(fields) ? { kind: 'irrelevant' } : usual
}

function claimsGoal(fields: Payload): boolean {
  return textIn(fields, 'tool_name') === goalTool && textIn(fields['tool_input'], 'status') === 'complete'
}
