/** From messages of LangChain to what happened, in words of no agent. */
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
import type { TokenUsage } from '@donecheck/core/budgets'
import type { ReplyWithCalls } from '../../session/index.ts'
import { typeOfMessage } from './sdk.ts'

export function replyOf(message: unknown, acts: ToolActs): ReplyWithCalls {
  return {
    text: textOfMessage(message),
    calls: listField(message, 'tool_calls').flatMap((call) => callOf(call, acts) ?? []),
    usage: usageOf(fieldOf(message, 'usage_metadata')),
  }
}

/** Undefined: it has no name, so nobody can call it. A call without an id is known by what it says. */
export function callOf(given: unknown, acts: ToolActs): HostCall | undefined {
  const tool = textField(given, 'name')
  if (tool === undefined) return undefined
  const args = jsonValueOf(fieldOf(given, 'args'))
  const callId = textField(given, 'id') ?? `${tool} ${JSON.stringify(args)}`
  return callOfTool({ callId, tool, args }, acts)
}

/** Of what a tool gave: a message of a tool, or a command of the graph. */
export function resultOf(given: unknown): HostResult {
  if (typeOfMessage(given) !== 'tool')
    return { status: 'unknown', output: textOf(jsonValueOf(fieldOf(given, 'update'))) }
  const status = textField(given, 'status') === 'error' ? 'error' : 'ok'
  return { status, output: textOfMessage(given) }
}

export function textOfMessage(message: unknown): string {
  return textOfContent(fieldOf(message, 'content'))
}

/** Null: nothing was said. */
export function usageOf(given: unknown): TokenUsage | null {
  return reportedUsage({
    inputTokens: fieldOf(given, 'input_tokens'),
    outputTokens: fieldOf(given, 'output_tokens'),
    cachedInputTokens: fieldOf(fieldOf(given, 'input_token_details'), 'cache_read'),
    reasoningTokens: fieldOf(fieldOf(given, 'output_token_details'), 'reasoning'),
  })
}

/** What an agent was asked for: the last thing that a user said. */
export function taskOf(messages: readonly unknown[]): string {
  return textOfMessage(messages.findLast((message) => typeOfMessage(message) === 'human'))
}

/** Undefined: the model has said nothing yet. */
export function lastReply(messages: readonly unknown[]): unknown {
  return messages.findLast((message) => typeOfMessage(message) === 'ai')
}
