/** As much of the OpenAI Agents SDK as is used, so that it need not be installed. Its own classes fit as they are. */
import { fieldOf, textField } from '../../protocol/host/index.ts'

/** What a model read or said: messages, calls and their results. */
export type Item = object

export interface RunnerLike {
  readonly config?: { readonly callModelInputFilter?: unknown }
  run(agent: never, input: never, options?: never): Promise<object>
}

export interface AgentLike {
  readonly name: string
  readonly tools?: readonly object[]
  readonly handoffs?: readonly object[]
  clone?(config: never): object
  on?(event: never, listener: never): unknown
  emit?(event: never, ...given: never[]): unknown
}

export interface UsageLike {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly inputTokensDetails?: unknown
  readonly outputTokensDetails?: unknown
}

export interface OutputGuardrailAnswer {
  readonly tripwireTriggered: boolean
  readonly outputInfo: unknown
}

/** The SDK's output guardrail. */
export interface OutputGuardrailLike {
  readonly name: string
  execute(asked: never): Promise<OutputGuardrailAnswer>
}

/** Calls a method that may not be there. */
export function callMethod(owner: object, name: string, ...given: readonly unknown[]): unknown {
  const method = fieldOf(owner, name)
  if (typeof method !== 'function') return undefined
  const answer: unknown = Reflect.apply(method, owner, given)
  return answer
}

export function isAgent(value: unknown): value is AgentLike {
  return textField(value, 'name') !== undefined
}

/** Of the SDK's context of a run. */
export function usageOf(context: unknown): UsageLike | undefined {
  const usage = fieldOf(context, 'usage')
  return isUsage(usage) ? usage : undefined
}

function isUsage(value: unknown): value is UsageLike {
  return (
    typeof fieldOf(value, 'inputTokens') === 'number' && typeof fieldOf(value, 'outputTokens') === 'number'
  )
}
