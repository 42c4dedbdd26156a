/** From what Mastra tells of a step to what happened, in words of no agent. */
import {
  callOfTool,
  fieldOf,
  listField,
  textField,
  textOfContent,
  reportedUsage,
  type HostCall,
  type HostResult,
  type ToolActs,
} from '../../protocol/host/index.ts'
import { jsonValueOf, textOf } from '../../protocol/hooks/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import type { ReplyWithCalls } from '../../session/index.ts'

/** A reply of the model, as a processor of a step sees it. */
export function replyOf(step: unknown, acts: ToolActs): ReplyWithCalls {
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
  return callOfTool({ callId, tool, args: argumentsOf(input) }, acts)
}

/** What Mastra resumes a suspended call with stands among its arguments, and is none of the model's. */
function argumentsOf(input: unknown): JsonValue {
  const args = jsonValueOf(input)
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
  return reportedUsage({
    inputTokens: fieldOf(given, 'inputTokens'),
    outputTokens: fieldOf(given, 'outputTokens'),
    cachedInputTokens: fieldOf(given, 'cachedInputTokens'),
    reasoningTokens: fieldOf(given, 'reasoningTokens'),
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
  const parts = [content, fieldOf(message, 'parts'), fieldOf(content, 'parts')].find((each) =>
    Array.isArray(each),
  )
  return textOfContent(parts ?? content, '\n')
}
