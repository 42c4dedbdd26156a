import type { JsonValue } from '@donecheck/core/internal/events'
import { fieldOf, isTrueIn, jsonValueOf, payloadOf, textIn } from '../../../protocol/host/index.ts'
import type { CallAnswer } from '../../../protocol/stream/index.ts'

export interface CallInQuestion {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** Absolute; undefined if Claude Code does not report it. */
  readonly folder: string | undefined
}

export type ControlMessage =
  | { readonly kind: 'hook' | 'ran'; readonly requestId: string; readonly call: CallInQuestion }
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

export const openingId = 'donecheck-opening'
const hookId = 'donecheck-before-a-call'
const ranId = 'donecheck-after-a-call'
/** In seconds: a person may take days, and a late hook counts as a refusal. */
const timeout = 1_000_000

export const opening = requestLine(openingId, {
  subtype: 'initialize',
  hooks: {
    PreToolUse: [{ hookCallbackIds: [hookId], timeout, onFailure: 'block' }],
    PostToolUse: [{ hookCallbackIds: [ranId], timeout }],
    PostToolUseFailure: [{ hookCallbackIds: [ranId], timeout }],
  },
})

export const interruption = requestLine('donecheck-interruption', {
  subtype: 'interrupt',
  cancel_queued: true,
})

function requestLine(requestId: string, request: JsonValue): JsonValue {
  return { type: 'control_request', request_id: requestId, request }
}

export function promptLine(prompt: string): JsonValue {
  const message = { role: 'user', content: prompt }
  return { type: 'user', message, parent_tool_use_id: null, session_id: '' }
}

export function controlOf(line: JsonValue): ControlMessage | undefined {
  const requestId = textIn(line, 'request_id') ?? ''
  switch (textIn(line, 'type')) {
    case 'control_request':
      return requestOf(requestId, fieldOf(line, 'request'))
    case 'control_cancel_request':
      return { kind: 'withdrawn', requestId }
    case 'control_response':
      return answeredOf(fieldOf(line, 'response'))
    default:
      return undefined
  }
}

function requestOf(requestId: string, request: unknown): ControlMessage {
  const subtype = textIn(request, 'subtype') ?? ''
  if (subtype === 'hook_callback') {
    const kind = textIn(request, 'callback_id') === ranId ? 'ran' : 'hook'
    return { kind, requestId, call: callOf(fieldOf(request, 'input'), 'tool_input') }
  }
  if (subtype !== 'can_use_tool') return { kind: 'other', requestId, subtype }
  return {
    ...{ kind: 'permission', requestId, call: callOf(request, 'input') },
    reason: textIn(request, 'decision_reason'),
    needsPerson: isTrueIn(request, 'requires_user_interaction'),
  }
}

function callOf(fields: unknown, argsName: string): CallInQuestion {
  return {
    callId: textIn(fields, 'tool_use_id') ?? '',
    tool: textIn(fields, 'tool_name') ?? '',
    args: jsonValueOf(fieldOf(fields, argsName) ?? {}),
    folder: textIn(fields, 'cwd'),
  }
}

function answeredOf(response: unknown): ControlMessage {
  const requestId = textIn(response, 'request_id') ?? ''
  const hasFailed = textIn(response, 'subtype') !== 'success'
  const isTaken = payloadOf(fieldOf(response, 'response'))?.['hooks_applied'] === false
  const error = textIn(response, 'error') ?? 'an error without a message'
  return {
    ...{ kind: 'answered', requestId },
    problem: hasFailed ? error : isTaken ? 'its hooks are taken by somebody else' : undefined,
  }
}

function answerTo(requestId: string, response: JsonValue): JsonValue {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}

/** Without a decision its own permissions decide. What they deny stays denied. */
export function hookAnswer(requestId: string, given: CallAnswer, announced: JsonValue): JsonValue {
  const isChanged = given.allowed && JSON.stringify(given.args) !== JSON.stringify(announced)
  const isApproved = given.allowed && given.isApproved === true
  if (given.allowed && !isChanged && !isApproved) return hookPass(requestId)
  const decision = given.allowed
    ? {
        ...(isApproved
          ? { permissionDecision: 'allow', permissionDecisionReason: 'whoever was asked has said yes' }
          : {}),
        ...(isChanged ? { updatedInput: given.args } : {}),
      }
    : { permissionDecision: 'deny', permissionDecisionReason: given.reason }
  return answerTo(requestId, { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } })
}

export function hookPass(requestId: string): JsonValue {
  return answerTo(requestId, {})
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
  if (subtype === 'elicitation') return answerTo(requestId, { action: 'decline' })
  const error = `${subtype} is not known here`
  return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error } }
}
