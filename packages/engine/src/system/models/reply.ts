/** A reply while it comes in: a fold over the parts of the SDK's stream. */
import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import type { FinishKind } from '@donecheck/core/events'
import { nothingReported, type ReportedUsage } from './usage.ts'

export type Part = TextStreamPart<ToolSet>

/** What a model asks for, as the SDK gives it. */
export interface StreamedCall {
  readonly callId: string
  readonly tool: string
  /** Parsed JSON, or the raw text where it is none. */
  readonly input: unknown
  /** The SDK could not read it, or does not know the tool. */
  readonly invalid: boolean
}

export interface Reply {
  readonly text: string
  readonly calls: readonly StreamedCall[]
  /** Characters of everything that the model wrote: text, thoughts, arguments. */
  readonly writtenCharacters: number
  readonly reported: ReportedUsage
  /** Undefined until the model has said that it has finished. */
  readonly end: ReplyEnd | undefined
}

export interface ReplyEnd {
  readonly finish: FinishKind
  /** The provider ended the reply for a reason of its own, which the model should know. */
  readonly problem?: string
}

export const emptyReply: Reply = {
  text: '',
  calls: [],
  writtenCharacters: 0,
  reported: nothingReported,
  end: undefined,
}

/** Parts that tell nothing about the reply leave it as it is; errors and aborts are the reader's business. */
export function extend(reply: Reply, part: Part): Reply {
  if (part.type === 'text-delta') return { ...addWritten(reply, part.text), text: reply.text + part.text }
  if (part.type === 'reasoning-delta') return addWritten(reply, part.text)
  if (part.type === 'tool-input-delta') return addWritten(reply, part.delta)
  if (part.type === 'tool-call') return { ...reply, calls: [...reply.calls, streamedCall(part)] }
  if (part.type !== 'finish-step') return reply
  return { ...reply, reported: reportedBy(part.usage), end: endOf(part, reply.calls.length > 0) }
}

function reportedBy(usage: LanguageModelUsage): ReportedUsage {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: inputTokenDetails.cacheReadTokens,
    reasoningTokens: outputTokenDetails.reasoningTokens,
  }
}

function addWritten(reply: Reply, piece: string): Reply {
  return { ...reply, writtenCharacters: reply.writtenCharacters + piece.length }
}

function streamedCall(part: Extract<Part, { type: 'tool-call' }>): StreamedCall {
  const input: unknown = part.input
  return { callId: part.toolCallId, tool: part.toolName, input, invalid: part.invalid === true }
}

/** `other` without a word of the provider means that the stream ended before it had said anything about an end. */
function endOf(part: Extract<Part, { type: 'finish-step' }>, asksForTools: boolean): ReplyEnd | undefined {
  const { finishReason, rawFinishReason } = part
  if (finishReason === 'length') return { finish: 'length' }
  if (finishReason === 'content-filter')
    return { finish: 'other', problem: 'the provider filtered the reply' }
  if (asksForTools && rawFinishReason !== undefined) return { finish: 'tool-calls' }
  if (finishReason === 'stop' || finishReason === 'tool-calls')
    return { finish: asksForTools ? 'tool-calls' : 'stop' }
  if (rawFinishReason === undefined) return undefined
  return { finish: 'other', problem: `the provider ended the reply with "${rawFinishReason.slice(0, 80)}"` }
}
