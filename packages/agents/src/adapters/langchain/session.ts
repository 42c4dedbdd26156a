import { assertOptions } from '@donecheck/engine/internal/base'
import {
  askingByItself,
  beginSdkSession,
  sdkOptions,
  SdkSession,
  type SdkOptions,
  type Verification,
  type ReplyWithCalls,
} from '../../session/index.ts'
import {
  callOfTool,
  fieldOf,
  listIn,
  textIn,
  textOfContent,
  reportedUsage,
  type HostCall,
  type HostResult,
  type ToolActs,
  jsonValueOf,
  textOf,
} from '../../protocol/host/index.ts'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { randomUUID } from 'node:crypto'

export type RunOptions = Omit<SdkOptions, 'sessionId'>

export const runOptions = sdkOptions.omit({ sessionId: true })

const maxRuns = 1000

export class OpenRuns {
  readonly #options: RunOptions
  readonly #runs = new Map<string, Promise<SdkSession>>()

  constructor(options: RunOptions) {
    this.#options = options
  }

  async begin(name: string, task: string): Promise<SdkSession> {
    const known = this.#runs.get(name)
    if (known !== undefined && (await known).ended !== undefined) this.#runs.delete(name)
    const session = await this.at(name)
    await session.recordPrompt(task)
    return session
  }

  at(name: string): Promise<SdkSession> {
    const run = this.#runs.get(name) ?? this.#open(name)
    this.#runs.delete(name)
    this.#runs.set(name, run)
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > maxRuns && oldest !== undefined) this.#runs.delete(oldest)
    return run
  }

  async isAtWork(name: string): Promise<boolean> {
    return (await this.#runs.get(name))?.ended === undefined && this.#runs.has(name)
  }

  async verification(name: string): Promise<Verification> {
    const session = await this.at(name)
    if (session.ended !== undefined || session.waitingFor.length > 0) return session.verification()
    await session.cutShort()
    return session.verification({ stoppedBy: 'the graph ended before the checks did' })
  }

  async #open(name: string): Promise<SdkSession> {
    const options = askingByItself(this.#options)
    return new SdkSession(await beginSdkSession('langchain', { ...options, sessionId: name }))
  }
}

export function replyOf(message: unknown, acts: ToolActs): ReplyWithCalls {
  return {
    text: textOfMessage(message),
    calls: listIn(message, 'tool_calls').flatMap((call) => callOf(call, acts) ?? []),
    usage: usageOf(fieldOf(message, 'usage_metadata')),
  }
}

export function callOf(given: unknown, acts: ToolActs): HostCall | undefined {
  const tool = textIn(given, 'name')
  if (tool === undefined) return undefined
  const args = jsonValueOf(fieldOf(given, 'args'))
  const callId = textIn(given, 'id') ?? `${tool} ${JSON.stringify(args)}`
  return callOfTool({ callId, tool, args }, acts)
}

export function resultOf(given: unknown): HostResult {
  if (typeOfMessage(given) !== 'tool')
    return { status: 'unknown', output: textOf(jsonValueOf(fieldOf(given, 'update'))) }
  const status = textIn(given, 'status') === 'error' ? 'error' : 'ok'
  return { status, output: textOfMessage(given) }
}

export function textOfMessage(message: unknown): string {
  return textOfContent(fieldOf(message, 'content'))
}

export function usageOf(given: unknown): TokenUsage | null {
  const usage = reportedUsage({
    inputTokens: fieldOf(given, 'input_tokens'),
    outputTokens: fieldOf(given, 'output_tokens'),
    cachedInputTokens: fieldOf(fieldOf(given, 'input_token_details'), 'cache_read'),
    reasoningTokens: fieldOf(fieldOf(given, 'output_token_details'), 'reasoning'),
  })
  return usage ?? null
}

export function lastReply(messages: readonly unknown[]): unknown {
  return messages.findLast((message) => typeOfMessage(message) === 'ai')
}

export type MessageLike = object

export interface RuntimeLike {
  readonly signal?: AbortSignal | undefined
  /** LangGraph's `interrupt`: throws the first time, and returns the answer when the graph resumes. */
  readonly interrupt?: unknown
}

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

export function typeOfMessage(message: unknown): string | undefined {
  const own = textIn(message, 'type') ?? textIn(message, 'role')
  const names: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' }
  return own === undefined ? undefined : (names[own] ?? own)
}

export function messagesOf(state: unknown): readonly unknown[] {
  return listIn(state, 'messages')
}

export function signalIn(runtime: unknown): AbortSignal | undefined {
  const signal = fieldOf(runtime, 'signal')
  return signal instanceof AbortSignal ? signal : undefined
}

export type VerifiedNodeOptions = RunOptions

export interface VerifiedNode {
  /** For `addNode`: adds the failures to the messages, as a user message. */
  readonly node: (state: object, config?: object) => Promise<{ messages: MessageLike[] }>
  /** For `addConditionalEdges`, after the node: `verifiedEdge({ open: 'model', over: END })`. */
  verifiedEdge<Open extends string, Over extends string>(to: {
    readonly open: Open
    readonly over: Over
  }): (state: object) => Open | Over
  verification(result: object): Promise<Verification>
}

/**
 * For your own graph: the last reply in `messages` is the claim. It sees no calls; for the gate use
 * `verifiedMiddleware`. Each user question starts a run.
 */
export function verifiedNode(options: VerifiedNodeOptions): VerifiedNode {
  assertOptions(runOptions, options, 'verifiedNode')
  const runs = new OpenRuns(options)
  return {
    node: async (state, config) => {
      const asked = question(state)
      const name = nameOf(state)
      const session = await ((await runs.isAtWork(name))
        ? runs.at(name)
        : runs.begin(name, textOfMessage(asked)))
      if (session.ended !== undefined) return { messages: [] }
      const reply = replyOf(lastReply(messagesOf(state)), session.acts)
      await session.recordReply(reply, signalIn(config))
      const feedback = await session.verifyTurnEnd(reply.text, signalIn(config))
      if (feedback === undefined) return { messages: [] }
      const id = `${feedbackId}${randomUUID()}`
      return { messages: [{ role: 'user', content: feedback, id }] }
    },
    verifiedEdge: ({ open, over }) => {
      return (state) => (isFeedback(messagesOf(state).at(-1)) ? open : over)
    },
    verification: (result) => runs.verification(nameOf(result)),
  }
}

const feedbackId = 'donecheck-'

function isFeedback(message: unknown): boolean {
  return typeOfMessage(message) === 'human' && (textIn(message, 'id') ?? '').startsWith(feedbackId)
}

function question(state: unknown): unknown {
  return messagesOf(state).findLast((message) => typeOfMessage(message) === 'human' && !isFeedback(message))
}

/** LangGraph's reducers give messages an id; otherwise the position identifies them. */
function nameOf(state: unknown): string {
  const asked = question(state)
  return textIn(asked, 'id') ?? `message ${messagesOf(state).indexOf(asked)}`
}
