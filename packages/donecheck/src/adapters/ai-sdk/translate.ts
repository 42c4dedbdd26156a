/** From a step of the AI SDK to what happened, in words of no agent. */
import {
  actOfTool,
  type HostCall,
  type HostEvent,
  type HostResult,
  type ToolActs,
} from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'
import { jsonOf, textOf } from './json.ts'
import type { StepCall, StepLike, StepPart, UsageLike } from './step.ts'

export function callOf({ toolCallId, toolName, input }: StepCall, acts: ToolActs): HostCall {
  return { callId: toolCallId, tool: toolName, args: jsonOf(input), act: actOfTool(toolName, input, acts) }
}

/**
 * The reply of the model and what became of its calls. A call without a result is left out: it waits for a person, or for a
 * tool that the host runs elsewhere.
 *
 * @param refused calls that donecheck itself has refused: they are known
 */
export function eventsOfStep(
  step: StepLike,
  acts: ToolActs,
  refused: ReadonlySet<string>,
): readonly [reply: HostEvent, ...finished: HostEvent[]] {
  const finished = step.toolCalls.flatMap((called) => {
    const result = refused.has(called.toolCallId) ? undefined : resultOf(called, step)
    return result === undefined ? [] : [{ call: callOf(called, acts), result }]
  })
  return [
    {
      kind: 'replied',
      text: step.text,
      calls: finished.map(({ call }) => call),
      usage: usageOf(step.usage),
    },
    ...finished.map(({ call, result }): HostEvent => ({ kind: 'tool-finished', call, result })),
  ]
}

function resultOf({ toolCallId }: StepCall, step: StepLike): HostResult | undefined {
  const part = step.content.find((each) => ends(each, toolCallId))
  if (part === undefined) return undefined
  const durationMs = step.performance?.toolExecutionMs?.[toolCallId]
  const time = durationMs === undefined ? {} : { durationMs: Math.max(0, durationMs) }
  switch (part.type) {
    case 'tool-result':
      return { status: 'ok', output: textOf(part.output), ...time }
    case 'tool-error':
      return { status: 'error', output: textOf(part.error), ...time }
    default:
      return {
        status: 'error',
        output: `denied${part.reason === undefined ? '' : `: ${textOf(part.reason)}`}`,
      }
  }
}

function ends(part: StepPart, callId: string): boolean {
  if (part.type === 'tool-result' || part.type === 'tool-error') return part.toolCallId === callId
  return (
    part.type === 'tool-approval-response' && part.approved === false && part.toolCall?.toolCallId === callId
  )
}

/** Calls of this step that have not ended, by the names of their tools. */
export function waitingOf(step: StepLike): readonly string[] {
  return step.toolCalls
    .filter(({ toolCallId }) => !step.content.some((part) => ends(part, toolCallId)))
    .map(({ toolName }) => toolName)
}

/** The model asked for no tool: it says that it is done. What was broken off says nothing. */
export function isClaim({ toolCalls, finishReason }: StepLike): boolean {
  return toolCalls.length === 0 && finishReason !== 'error' && finishReason !== 'interrupted'
}

/** Null: the provider said nothing. */
export function usageOf(usage: UsageLike): TokenUsage | null {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  if (inputTokens === undefined && outputTokens === undefined) return null
  const cached = inputTokenDetails?.cacheReadTokens
  const reasoning = outputTokenDetails?.reasoningTokens
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    estimated: false,
  }
}
