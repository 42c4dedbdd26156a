import { TransformStream, type Transformer } from 'node:stream/web'
import type { UserModelMessage } from 'ai'
import { fieldOf } from '../../protocol/host/index.ts'
import { textOf, type StepCall, type StepLike } from './translate.ts'

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

/** @throws {TypeError} for what no agent of the SDK could be called with */
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

export function taskOf({ prompt, messages }: AgentCall): string {
  if (typeof prompt === 'string') return prompt
  const user = listOf(prompt ?? messages).findLast((message) => fieldOf(message, 'role') === 'user')
  const content = fieldOf(user, 'content')
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(fieldOf(part, 'text')))
    .filter((text) => text !== '')
    .join('\n')
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

/** Sees how a stream of the SDK ends, as its callbacks do not tell of every end: a transformation as it takes them, that changes nothing. */
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
