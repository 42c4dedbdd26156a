/** From messages of LangChain to what happened, in words of no agent. */
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
import type { TokenUsage } from '../../events/index.ts'
import { typeOfMessage } from './sdk.ts'

/** A reply of the model. */
export interface Reply {
  readonly text: string
  readonly calls: readonly HostCall[]
  readonly usage: TokenUsage | null
}

export function replyOf(message: unknown, acts: ToolActs): Reply {
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
  const args = jsonOf(fieldOf(given, 'args'))
  const callId = textField(given, 'id') ?? `${tool} ${JSON.stringify(args)}`
  return { callId, tool, args, act: actOfTool(tool, args, acts) }
}

/** Of what a tool gave: a message of a tool, or a command of the graph. */
export function resultOf(given: unknown): HostResult {
  if (typeOfMessage(given) !== 'tool')
    return { status: 'unknown', output: textOf(jsonOf(fieldOf(given, 'update'))) }
  const status = textField(given, 'status') === 'error' ? 'error' : 'ok'
  return { status, output: textOfMessage(given) }
}

export function textOfMessage(message: unknown): string {
  const content = fieldOf(message, 'content')
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return parts.map((part) => (typeof part === 'string' ? part : (textField(part, 'text') ?? ''))).join('')
}

/** Null: nothing was said. */
export function usageOf(given: unknown): TokenUsage | null {
  return toldUsage({
    inputTokens: countField(given, 'input_tokens'),
    outputTokens: countField(given, 'output_tokens'),
    cachedInputTokens: countField(fieldOf(given, 'input_token_details'), 'cache_read'),
    reasoningTokens: countField(fieldOf(given, 'output_token_details'), 'reasoning'),
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
