/** The control protocol of Claude Code, as far as it is used: what it asks of whoever reads its stream, and how that is answered. Pure. */
import { isTrueIn, jsonValueOf, payloadOf, textIn, type Payload } from '../../../protocol/host/index.ts'
import type { CallAnswer, AgentFinding, TurnEnded } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'

export interface CallInQuestion {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** Absolute path of the folder where the call would run. Undefined when Claude Code does not say. */
  readonly folder: string | undefined
}

export type ControlMessage =
  | { readonly kind: 'hook'; readonly requestId: string; readonly call: CallInQuestion }
  | { readonly kind: 'ran'; readonly requestId: string; readonly call: CallInQuestion }
  | {
      readonly kind: 'permission'
      readonly requestId: string
      readonly call: CallInQuestion
      readonly reason: string | undefined
      readonly needsPerson: boolean
    }
  | { readonly kind: 'other'; readonly requestId: string; readonly subtype: string }
  | { readonly kind: 'withdrawn'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly requestId: string; readonly problem: string | undefined }

const openingId = 'donecheck-opening'
const hookId = 'donecheck-before-a-call'
const ranId = 'donecheck-after-a-call'
/** Seconds: a person may take days for an answer. A hook that is late is refused, and one that is given no time would be as well. */
const hookSeconds = 1_000_000

export const opening: JsonValue = {
  type: 'control_request',
  request_id: openingId,
  request: {
    subtype: 'initialize',
    hooks: {
      PreToolUse: [{ hookCallbackIds: [hookId], timeout: hookSeconds, onFailure: 'block' }],
      PostToolUse: [{ hookCallbackIds: [ranId], timeout: hookSeconds }],
      PostToolUseFailure: [{ hookCallbackIds: [ranId], timeout: hookSeconds }],
    },
  },
}

export function isOfOpening({ requestId }: { readonly requestId: string }): boolean {
  return requestId === openingId
}

export const interruption: JsonValue = {
  type: 'control_request',
  request_id: 'donecheck-interruption',
  request: { subtype: 'interrupt', cancel_queued: true },
}

export function promptLine(prompt: string): JsonValue {
  return {
    type: 'user',
    message: { role: 'user', content: prompt },
    parent_tool_use_id: null,
    session_id: '',
  }
}

/** Undefined when the line is not part of the control protocol. */
export function controlOf(value: JsonValue): ControlMessage | undefined {
  const line = payloadOf(value)
  const requestId = textIn(line, 'request_id') ?? ''
  switch (line?.['type']) {
    case 'control_request':
      return requestOf(requestId, payloadOf(line['request']) ?? {})
    case 'control_cancel_request':
      return { kind: 'withdrawn', requestId }
    case 'control_response':
      return answeredOf(payloadOf(line['response']) ?? {})
    default:
      return undefined
  }
}

function requestOf(requestId: string, request: Payload): ControlMessage {
  const subtype = textIn(request, 'subtype') ?? ''
  if (subtype === 'hook_callback') {
    const input = payloadOf(request['input']) ?? {}
    const kind = request['callback_id'] === ranId ? 'ran' : 'hook'
    return { kind, requestId, call: callOf(input, 'tool_input') }
  }
  if (subtype === 'can_use_tool')
    return {
      kind: 'permission',
      requestId,
      call: callOf(request, 'input'),
      reason: textIn(request, 'decision_reason'),
      needsPerson: isTrueIn(request, 'requires_user_interaction'),
    }
  return { kind: 'other', requestId, subtype }
}

function callOf(fields: Payload, argsName: string): CallInQuestion {
  return {
    callId: textIn(fields, 'tool_use_id') ?? '',
    tool: textIn(fields, 'tool_name') ?? '',
    args: jsonValueOf(fields[argsName] ?? {}),
    folder: textIn(fields, 'cwd'),
  }
}

function answeredOf(response: Payload): ControlMessage {
  const requestId = textIn(response, 'request_id') ?? ''
  const hooksApplied = payloadOf(response['response'])?.['hooks_applied']
  const problem =
    response['subtype'] === 'success'
      ? hooksApplied === false
        ? 'its hooks are taken by somebody else'
        : undefined
      : (textIn(response, 'error') ?? 'an error without a message')
  return { kind: 'answered', requestId, problem }
}

function answerTo(requestId: string, response: JsonValue): JsonValue {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}

/** Without a decision its own permissions decide. What they deny stays denied, whatever is said here. */
export function hookAnswer(requestId: string, given: CallAnswer, announced: JsonValue): JsonValue {
  const decision = decisionOf(given, announced)
  if (Object.keys(decision).length === 0) return hookPass(requestId)
  return answerTo(requestId, { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } })
}

export function hookPass(requestId: string): JsonValue {
  return answerTo(requestId, {})
}

function decisionOf(given: CallAnswer, announced: JsonValue): Readonly<Record<string, JsonValue>> {
  if (!given.allowed) return { permissionDecision: 'deny', permissionDecisionReason: given.reason }
  return {
    ...(given.isApproved === true
      ? { permissionDecision: 'allow', permissionDecisionReason: 'whoever was asked has said yes' }
      : {}),
    ...(isSame(given.args, announced) ? {} : { updatedInput: given.args }),
  }
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function permissionAnswer(requestId: string, given: CallAnswer): JsonValue {
  return answerTo(
    requestId,
    given.allowed
      ? { behavior: 'allow', updatedInput: given.args }
      : { behavior: 'deny', message: given.reason },
  )
}

export function cannotAnswer(requestId: string, subtype: string): JsonValue {
  return subtype === 'elicitation'
    ? answerTo(requestId, { action: 'decline' })
    : {
        type: 'control_response',
        response: { subtype: 'error', request_id: requestId, error: `${subtype} is not known here` },
      }
}

/** Covers all calls of a turn. @param why in a few words */
export function notAsked(why: string): Pick<AgentFinding, 'message'> {
  return { message: `Claude Code does not ask before its calls: ${why}` }
}

export function ranUnprompted(call: CallInQuestion): AgentFinding {
  return {
    kind: 'finding',
    rule: 'call_ran_unasked',
    message: `Claude Code has run ${formatCall(call)} without waiting for an answer: no rule stood before it`,
  }
}

export function ranChanged(asked: CallInQuestion, ran: CallInQuestion): AgentFinding {
  return {
    kind: 'finding',
    rule: 'call_changed',
    message: `Claude Code has run ${formatCall(ran)}, which nobody was asked about, in the place of ${formatCall(asked)}`,
  }
}

export function noFurther({ message }: Pick<AgentFinding, 'message'>, wayOut: string): TurnEnded {
  return {
    kind: 'turn-ended',
    text: '',
    failure: { kind: 'configuration', message: `${message}. ${wayOut}`, retryable: false },
  }
}

export function formatCall({ tool, args }: CallInQuestion): string {
  const written = `${tool} ${JSON.stringify(args)}`
  return written.length <= 300 ? written : `${written.slice(0, 299).toWellFormed()}…`
}
