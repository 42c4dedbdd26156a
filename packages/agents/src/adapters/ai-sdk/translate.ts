import {
  callOfTool,
  type HostCall,
  type HostResult,
  type ToolActs,
  fieldOf,
} from '../../protocol/host/index.ts'
import type { EndedCall } from '../../session/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { given } from '@donecheck/engine/internal/base'
import { TransformStream, type Transformer } from 'node:stream/web'
import type { UserModelMessage } from 'ai'

export function callOf({ toolCallId, toolName, input }: StepCall, acts: ToolActs): HostCall {
  return callOfTool({ callId: toolCallId, tool: toolName, args: toJson(input) }, acts, input)
}

/** Leaves out calls without a result: they wait for a person, or for a tool that the host runs elsewhere. */
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

export function waitingOf(step: StepLike): readonly StepCall[] {
  return step.toolCalls.filter(({ toolCallId }) => !step.content.some((part) => ends(part, toolCallId)))
}

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

/** Declares only the part of the AI SDK's steps that we read, so that the types of every 7.x fit. */
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

type Callback = (event: never) => unknown

export interface AgentCall {
  readonly prompt?: unknown
  readonly messages?: unknown
  readonly abortSignal?: AbortSignal | undefined
  readonly onStepStart?: Callback | undefined
  readonly experimental_onStepStart?: Callback | undefined
  readonly onStepEnd?: Callback | undefined
  readonly onStepFinish?: Callback | undefined
  readonly onToolExecutionStart?: Callback | undefined
  readonly experimental_onToolCallStart?: Callback | undefined
  readonly onToolExecutionEnd?: Callback | undefined
  readonly experimental_onToolCallFinish?: Callback | undefined
  readonly experimental_steering?: SteeringLike | undefined
  readonly onEnd?: Callback | undefined
  readonly onFinish?: Callback | undefined
  readonly experimental_transform?: unknown
}

export function agentCall(given: unknown): AgentCall {
  if (typeof given === 'object' && given !== null) return given
  throw new TypeError(
    `an agent is called with an object such as { prompt }, not with ${textOf(given) || typeof given}`,
  )
}

export interface SteeringLike {
  steer(message: string | UserModelMessage): Promise<{ readonly type: string }>
}

export interface ExecutionEnd {
  readonly toolCall: StepCall
  readonly toolOutput: { readonly type: string; readonly output?: unknown; readonly error?: unknown }
  readonly toolExecutionMs?: number | undefined
}

interface CallListeners {
  readonly onStepStart: () => void
  readonly onStepEnd: (step: StepLike) => Promise<void>
  readonly onToolExecutionStart: (event: { readonly toolCall: StepCall }) => Promise<void>
  readonly onToolExecutionEnd: (event: ExecutionEnd) => Promise<void>
}

export function listening<Call extends AgentCall>(call: Call, ours: CallListeners): Call {
  return {
    ...call,
    onStepStart: both(call.onStepStart ?? call.experimental_onStepStart, ours.onStepStart),
    onStepEnd: both(call.onStepEnd ?? call.onStepFinish, ours.onStepEnd),
    onToolExecutionStart: both(
      call.onToolExecutionStart ?? call.experimental_onToolCallStart,
      ours.onToolExecutionStart,
    ),
    onToolExecutionEnd: both(
      call.onToolExecutionEnd ?? call.experimental_onToolCallFinish,
      ours.onToolExecutionEnd,
    ),
  }
}

interface StreamEnds {
  readonly onEnd: () => void
  readonly onBroken: (problem: unknown) => void
}

export function streaming(call: AgentCall, { onEnd, onBroken }: StreamEnds): AgentCall {
  const { experimental_transform: theirs } = call
  const transforms: readonly unknown[] = theirs === undefined ? [] : Array.isArray(theirs) ? theirs : [theirs]
  return {
    ...call,
    onEnd: both(call.onEnd ?? call.onFinish, onEnd),
    experimental_transform: [...transforms, watchStream({ onBroken })],
  }
}

export function goingOn(call: AgentCall, result: object, feedback: string): AgentCall {
  const { prompt, messages, ...rest } = call
  const before = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : listOf(prompt ?? messages)
  const said = listOf(fieldOf(result, 'responseMessages') ?? fieldOf(fieldOf(result, 'response'), 'messages'))
  return { ...rest, messages: [...before, ...said, { role: 'user', content: feedback }] }
}

function both<Event>(theirs: Callback | undefined, ours: (event: Event) => unknown) {
  return async (event: Event): Promise<void> => {
    try {
      if (theirs !== undefined) await Reflect.apply(theirs, undefined, [event])
    } catch {
      // The SDK ignores what a listener throws, and so do we.
    }
    await ours(event)
  }
}

export function idsAnsweredBy({ prompt, messages }: AgentCall): readonly string[] {
  const last = listOf(prompt ?? messages).at(-1)
  if (fieldOf(last, 'role') !== 'tool') return []
  return listOf(fieldOf(last, 'content')).flatMap((part) =>
    [fieldOf(part, 'approvalId'), fieldOf(part, 'toolCallId')].filter((id) => typeof id === 'string'),
  )
}

export function openIds({ content, toolCalls }: StepLike): readonly string[] {
  const approvals = content.flatMap((part) => {
    const id = part.type === 'tool-approval-request' ? fieldOf(part, 'approvalId') : undefined
    return typeof id === 'string' ? [id] : []
  })
  return [...approvals, ...toolCalls.map(({ toolCallId }) => toolCallId)]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

interface Part {
  readonly type: string
  readonly error?: unknown
  readonly reason?: unknown
}

/** The SDK's callbacks do not report every end of a stream. */
function watchStream({ onBroken }: Pick<StreamEnds, 'onBroken'>): () => TransformStream<Part, Part> {
  return () => {
    let hasStep = false
    let problem: unknown
    const watcher: Transformer<Part, Part> & { cancel(reason: unknown): void } = {
      transform(part, controller) {
        if (part.type === 'finish-step') hasStep = true
        if (part.type === 'error') problem = part.error
        if (part.type === 'abort') onBroken(part.reason ?? 'aborted')
        controller.enqueue(part)
      },
      flush() {
        if (!hasStep) onBroken(problem ?? 'the stream ended without a step')
      },
      cancel(reason) {
        onBroken(reason ?? 'nobody reads the stream any more')
      },
    }
    return new TransformStream(watcher)
  }
}
