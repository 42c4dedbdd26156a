import { callOfTool, type HostCall, type HostResult, type ToolActs } from '../../protocol/host/index.ts'
import type { EndedCall } from '../../session/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

export function callOf({ toolCallId, toolName, input }: StepCall, acts: ToolActs): HostCall {
  return callOfTool({ callId: toolCallId, tool: toolName, args: toJson(input) }, acts, input)
}

/**
 * The calls of a step, and what became of them. A call without a result is left out: it waits for a person, or for a tool that the
 * host runs elsewhere.
 */
export function endedCallsOf(step: StepLike, acts: ToolActs): readonly EndedCall[] {
  return step.toolCalls.flatMap((called) => {
    const { toolCallId } = called
    const end = step.content.find((each) => ends(each, toolCallId))
    const durationMs = step.performance?.toolExecutionMs?.[toolCallId]
    return end === undefined ? [] : [{ call: callOf(called, acts), result: resultOf(end, durationMs) }]
  })
}

export type EndOfCall = Pick<StepPart, 'type' | 'output' | 'error' | 'reason'>

export function resultOf({ type, output, error, reason }: EndOfCall, durationMs?: number): HostResult {
  const time = durationMs === undefined ? {} : { durationMs: Math.max(0, durationMs) }
  switch (type) {
    case 'tool-result':
      return { status: 'ok', output: textOf(output), ...time }
    case 'tool-error':
      return { status: 'error', output: textOf(error), ...time }
    default:
      return { status: 'error', output: `denied${reason === undefined ? '' : `: ${textOf(reason)}`}` }
  }
}

function ends(part: StepPart, callId: string): boolean {
  if (part.type === 'tool-result' || part.type === 'tool-error') return part.toolCallId === callId
  return (
    part.type === 'tool-approval-response' && part.approved === false && part.toolCall?.toolCallId === callId
  )
}

export function waitingOf(step: StepLike): readonly string[] {
  return step.toolCalls
    .filter(({ toolCallId }) => !step.content.some((part) => ends(part, toolCallId)))
    .map(({ toolName }) => toolName)
}

/** The model asked for no tool: it says that it is done. What was broken off says nothing. */
export function isClaim({ toolCalls, finishReason }: StepLike): boolean {
  return toolCalls.length === 0 && finishReason !== 'error' && finishReason !== 'interrupted'
}

export function usageOf(usage: UsageLike): TokenUsage | null {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  if (inputTokens === undefined && outputTokens === undefined) return null
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...given({
      cachedInputTokens: inputTokenDetails?.cacheReadTokens,
      reasoningTokens: outputTokenDetails?.reasoningTokens,
    }),
    estimated: false,
  }
}

/** Values that JSON cannot hold become text, so that no part of a call is lost. */
function toJson(value: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value ?? null)) as JsonValue
  } catch {
    return String(value)
  }
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.message
  if (value === undefined) return ''
  const json = toJson(value)
  return typeof json === 'string' ? json : JSON.stringify(json)
}

/** Only the part of the AI SDK's steps that we read, so that the types of every 7.x fit. */
export interface StepLike {
  readonly text: string
  readonly finishReason: string
  readonly usage: UsageLike
  readonly toolCalls: readonly StepCall[]
  readonly content: readonly StepPart[]
  readonly performance?: { readonly toolExecutionMs?: Readonly<Record<string, number>> } | undefined
}

export interface StepCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export interface StepPart {
  readonly type: string
  readonly toolCallId?: string | undefined
  readonly output?: unknown
  readonly error?: unknown
  readonly approved?: boolean | undefined
  readonly reason?: unknown
  readonly toolCall?: { readonly toolCallId: string } | undefined
}

export interface UsageLike {
  readonly inputTokens: number | undefined
  readonly inputTokenDetails?: { readonly cacheReadTokens: number | undefined } | undefined
  readonly outputTokens: number | undefined
  readonly outputTokenDetails?: { readonly reasoningTokens: number | undefined } | undefined
}
