import type { HostAnswer } from '../host-event.ts'
import type { HookEffect, HookReply } from '../hook-protocol.ts'
import { payloadOf, textIn, type Payload } from './payload.ts'
import { answerIn, inBounds, jsonReply, silence, textOfAnswer, underHeading } from './replies.ts'

export interface AnswerDialect {
  /** A question to its user can be answered with; otherwise the call is refused, which is not weaker. */
  readonly canAsk: boolean
  /** Where `continue: false` ends the turn. Elsewhere some take it for a pass, and some for its opposite. */
  readonly endsAt: readonly ('proposal' | 'result' | 'claim')[]
  /** Feedback reaches its model as if its user had said it. */
  readonly hasHeading?: true
}

type Moment = 'start' | 'prompt' | 'proposal' | 'result' | 'claim' | 'deaf'

const moments: Readonly<Record<string, Moment>> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'proposal',
  PostToolUse: 'result',
  PostToolUseFailure: 'result',
  Stop: 'claim',
  SubagentStop: 'claim',
}

/** @param event the agent's own name */
export function answerClaudeShaped(event: string, answer: HostAnswer, dialect: AnswerDialect): HookReply {
  switch (moments[event] ?? 'deaf') {
    case 'claim':
      return atClaim(answer, dialect)
    case 'proposal':
      return atProposal(event, answer, dialect)
    case 'result':
      return atResult(event, answer, dialect)
    case 'prompt':
      return atPrompt(event, answer)
    case 'start':
      return jsonReply({ ...contextIn(event, answer), ...noticeIn(answer) })
    case 'deaf':
      return silence
  }
}

/** Context would keep it going: a pass says nothing to the model. Whoever lets it go has ended the turn. */
function atClaim(answer: HostAnswer, { hasHeading, endsAt }: AnswerDialect): HookReply {
  if (answer.kind === 'pass') return jsonReply(noticeIn(answer))
  if (answer.kind === 'end')
    return jsonReply(endsAt.includes('claim') ? ended(answer.message) : shown(answer.message))
  const feedback = answer.kind === 'send-back' ? answer.feedback : answer.reason
  const reason = hasHeading === true ? underHeading(feedback) : inBounds(feedback)
  return jsonReply({ decision: 'block', reason, ...noticeIn(answer) })
}

function atProposal(event: string, answer: HostAnswer, dialect: AnswerDialect): HookReply {
  switch (answer.kind) {
    case 'pass':
      return jsonReply({ ...contextIn(event, answer), ...noticeIn(answer) })
    case 'send-back':
      return jsonReply({ ...decided(event, 'deny', answer.feedback), ...noticeIn(answer) })
    case 'refuse':
      return jsonReply(decided(event, 'deny', answer.reason))
    case 'ask':
      return jsonReply(decided(event, dialect.canAsk ? 'ask' : 'deny', answer.reason))
    case 'end':
      return jsonReply({
        ...(dialect.endsAt.includes('proposal') ? ended(answer.message) : {}),
        ...decided(event, 'deny', answer.message),
      })
  }
}

/** It has happened: what is left to say is for the model. */
function atResult(event: string, answer: HostAnswer, { endsAt }: AnswerDialect): HookReply {
  if (answer.kind === 'pass') return jsonReply({ ...contextIn(event, answer), ...noticeIn(answer) })
  if (answer.kind === 'end' && endsAt.includes('result')) return jsonReply(ended(answer.message))
  return jsonReply({ decision: 'block', reason: inBounds(textOfAnswer(answer)), ...noticeIn(answer) })
}

function atPrompt(event: string, answer: HostAnswer): HookReply {
  if (answer.kind === 'pass') return jsonReply({ ...contextIn(event, answer), ...noticeIn(answer) })
  return jsonReply({ decision: 'block', reason: inBounds(textOfAnswer(answer)), ...noticeIn(answer) })
}

function ended(message: string): object {
  return { continue: false, stopReason: inBounds(message) }
}

function decided(event: string, permissionDecision: 'deny' | 'ask', reason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision,
      permissionDecisionReason: inBounds(reason),
    },
  }
}

function contextIn(event: string, answer: HostAnswer): object {
  if (answer.kind !== 'pass' || answer.context === undefined || answer.context === '') return {}
  return { hookSpecificOutput: { hookEventName: event, additionalContext: inBounds(answer.context) } }
}

function noticeIn(answer: HostAnswer): object {
  const notice = 'notice' in answer ? answer.notice : undefined
  return notice === undefined || notice === '' ? {} : shown(notice)
}

/** To the person. */
function shown(message: string): object {
  return { systemMessage: inBounds(message) }
}

/** The same, read from the side of the agent. */
export function effectClaudeShaped(
  event: string,
  reply: HookReply,
  endsAt: AnswerDialect['endsAt'],
): HookEffect {
  const said = answerIn(reply)
  if (said === 'invalid') return 'invalid'
  const moment = moments[event] ?? 'deaf'
  if (said === 'nothing' || moment === 'deaf' || moment === 'start') return 'passed'
  const decision = moment === 'proposal' ? permissionIn(said) : textIn(said, 'decision')
  if (moment === 'proposal' && (decision === 'deny' || decision === 'block')) return 'refused'
  if (said['continue'] === false && moment !== 'prompt') return endsAt.includes(moment) ? 'ended' : 'invalid'
  if (moment === 'proposal') return decision === 'ask' ? 'asked' : 'passed'
  if (decision !== 'block' && decision !== 'deny') return 'passed'
  if (moment === 'prompt') return 'refused'
  return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
}

function permissionIn(said: Payload): string | undefined {
  return textIn(payloadOf(said['hookSpecificOutput']), 'permissionDecision')
}
