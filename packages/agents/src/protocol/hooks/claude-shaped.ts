import { textIn, type HostEvent, type Payload } from '../host/index.ts'
import type { HookEffect, SampleContext, FieldNames, HookRow, HookTable, Say } from './hook-table.ts'

interface AnswerDialect {
  /** A question to its user can be answered with; otherwise the call is refused, which is not weaker. */
  readonly canAsk: boolean
  /** Where `continue: false` ends the turn. Elsewhere some take it for a pass, and some for its opposite. */
  readonly endsAt: readonly ('proposal' | 'result' | 'claim')[]
}

export const claudeFields: FieldNames = {
  callId: 'tool_use_id',
  claim: 'last_assistant_message',
  subagentClaim: 'last_assistant_message',
}

/** The fields that all payloads of an agent have. @param more adds the agent's own fields */
export function claudeSample(more: (place: SampleContext) => object): HookTable['sample'] {
  return (place, event) => ({
    ...{ session_id: place.sessionId, cwd: place.folder, hook_event_name: event, permission_mode: 'default' },
    ...more(place),
  })
}

/** How it is answered, and how it takes the answers. Whoever is allowed to stop has ended the turn: context would keep it going. */
export function claudeAnswers({ canAsk, endsAt }: AnswerDialect): Pick<HookTable, 'answers' | 'notice'> {
  const ends = (moment: AnswerDialect['endsAt'][number]) => endsAt.includes(moment)
  const effectAt =
    (moment: 'result' | 'claim') =>
    (said: Payload): HookEffect => {
      if (said['continue'] === false) return ends(moment) ? 'ended' : 'invalid'
      if (!isBlock(textIn(said, 'decision'))) return 'passed'
      return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
    }
  return {
    notice: messageToPerson,
    answers: {
      start: { context: contextFor },
      prompt: {
        context: contextFor,
        objection: block,
        effect: (said) => (isBlock(textIn(said, 'decision')) ? 'refused' : 'passed'),
      },
      proposal: {
        context: contextFor,
        ...(canAsk ? { permission: (reason, { event }) => decidePermission(event, 'allow', reason) } : {}),
        objection: (reason, { event, answer }) =>
          decidePermission(event, canAsk && answer.kind === 'ask' ? 'ask' : 'deny', reason),
        // A refusal beside `continue: false`: the call ran all the same when only the latter was said.
        end: (reason, { event }) => ({
          ...(ends('proposal') ? endTurn(reason) : {}),
          ...decidePermission(event, 'deny', reason),
        }),
        effect(said) {
          const decision = textIn(said['hookSpecificOutput'], 'permissionDecision')
          if (isBlock(decision)) return 'refused'
          if (said['continue'] === false) return ends('proposal') ? 'ended' : 'invalid'
          return decision === 'ask' ? 'asked' : 'passed'
        },
      },
      result: {
        context: contextFor,
        objection: block,
        end: ends('result') ? endTurn : block,
        effect: effectAt('result'),
      },
      claim: {
        objection: block,
        end: ends('claim') ? endTurn : messageToPerson,
        effect: effectAt('claim'),
      },
    },
  }
}

function isBlock(decision: string | undefined): boolean {
  return decision === 'deny' || decision === 'block'
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

/**
 * Codex and Qwen Code have a tool by which the model says of itself that its goal is reached: a claim in the middle of a
 * turn. A second hook is registered for it, with the time that a verification takes; the first one leaves it alone.
 */
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
