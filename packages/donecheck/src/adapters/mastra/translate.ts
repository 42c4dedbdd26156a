/** From what Mastra tells of a step to what happened, in words of no agent. */
import {
  actOfTool,
  countField,
  fieldOf,
  jsonOf,
  listField,
  textField,
  textOf,
  toldUsage,
  type HostCall,
  type HostResult,
  type ToolActs,
} from '../../agents/index.ts'
import type { JsonValue, TokenUsage } from '../../events/index.ts'

/** A reply of the model, as a processor of a step sees it. */
export interface Reply {
  readonly text: string
  readonly calls: readonly HostCall[]
  readonly usage: TokenUsage | null
}

export function replyOf(step: unknown, acts: ToolActs): Reply {
  return {
    text: textField(step, 'text') ?? '',
    calls: listField(step, 'toolCalls').flatMap((call) => callIn(call, acts) ?? []),
    usage: usageOf(fieldOf(step, 'usage')),
  }
}

function callIn(given: unknown, acts: ToolActs): HostCall | undefined {
  const callId = textField(given, 'toolCallId')
  const tool = textField(given, 'toolName')
  return callId === undefined || tool === undefined
    ? undefined
    : callOf(callId, tool, fieldOf(given, 'args'), acts)
}

export function callOf(callId: string, tool: string, input: unknown, acts: ToolActs): HostCall {
  const args = argumentsOf(input)
  return { callId, tool, args, act: actOfTool(tool, args, acts) }
}

/** What Mastra resumes a suspended call with stands among its arguments, and is none of the model's. */
function argumentsOf(input: unknown): JsonValue {
  const args = jsonOf(input)
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  return Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'resumeData'))
}

/** Of what a hook after a call is told: its output, or what it threw. */
export function resultOf(ended: unknown): HostResult {
  const error = fieldOf(ended, 'error')
  if (error === undefined) return { status: 'ok', output: textOf(fieldOf(ended, 'output')) }
  return { status: 'error', output: textField(error, 'message') ?? textOf(error) }
}

/** Null: nothing was said. */
export function usageOf(given: unknown): TokenUsage | null {
  return toldUsage({
    inputTokens: countField(given, 'inputTokens'),
    outputTokens: countField(given, 'outputTokens'),
    cachedInputTokens: countField(given, 'cachedInputTokens'),
    reasoningTokens: countField(given, 'reasoningTokens'),
  })
}

/** What an agent was asked for: a text, or the last thing that a user said. */
export function taskOf(input: unknown): string {
  if (typeof input === 'string') return input
  const messages: readonly unknown[] = Array.isArray(input) ? input : [input]
  const asked = messages.findLast(
    (message) => typeof message === 'string' || textField(message, 'role') === 'user',
  )
  return typeof asked === 'string' ? asked : textOfMessage(asked)
}

function textOfMessage(message: unknown): string {
  const content = fieldOf(message, 'content')
  if (typeof content === 'string') return content
  const parts = [content, fieldOf(message, 'parts'), fieldOf(content, 'parts')].find((each) =>
    Array.isArray(each),
  )
  return (Array.isArray(parts) ? parts : []).map((part: unknown) => textField(part, 'text') ?? '').join('\n')
}
