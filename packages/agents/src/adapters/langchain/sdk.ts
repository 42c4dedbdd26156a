/** As much of LangChain and LangGraph as is used, so that they need not be installed. Their own classes fit as they are. */
import { fieldOf, listField, textField } from '../../protocol/host/index.ts'

/** A message: an instance of theirs, or what their reducer makes one of. */
export type MessageLike = object

export interface StateLike {
  readonly messages?: readonly MessageLike[]
}

/** What hooks and tools know of the run that they stand in. */
export interface RuntimeLike {
  readonly signal?: AbortSignal | undefined
  /** Of LangGraph: throws the first time, and answers when the graph is resumed. */
  readonly interrupt?: unknown
}

/** An update of the state, and where to go on. */
export interface Jump {
  readonly messages?: readonly MessageLike[]
  readonly jumpTo?: 'model' | 'end'
  readonly donecheckRun?: string
}

export interface ModelRequestLike {
  readonly messages: readonly MessageLike[]
  readonly state: object
  readonly runtime?: object
}

export interface ToolRequestLike {
  readonly toolCall: { readonly id?: string; readonly name: string; readonly args?: unknown }
  readonly state: object
  readonly runtime?: object
}

/** `human`, `ai`, `tool`, `system`; undefined for what is no message. */
export function typeOfMessage(message: unknown): string | undefined {
  const own = textField(message, 'type') ?? textField(message, 'role')
  const names: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' }
  return own === undefined ? undefined : (names[own] ?? own)
}

export function messagesOf(state: unknown): readonly unknown[] {
  return listField(state, 'messages')
}

/** Asks a person by LangGraph's own way. Undefined: it is not to be had here. */
export function interruptOf(runtime: unknown): ((value: unknown) => unknown) | undefined {
  const interrupt = fieldOf(runtime, 'interrupt')
  if (typeof interrupt !== 'function') return undefined
  return (value) => {
    const answer: unknown = Reflect.apply(interrupt, undefined, [value])
    return answer
  }
}

export function signalIn(runtime: unknown): AbortSignal | undefined {
  const signal = fieldOf(runtime, 'signal')
  return signal instanceof AbortSignal ? signal : undefined
}
