import {
  type HostAnswer,
  type HostCall,
  type HostResult,
  callOfTool,
  fieldOf,
  listIn,
  textIn,
  reportedUsage,
  type ToolActs,
  jsonValueOf,
  textOf,
} from '../../protocol/host/index.ts'
import { SdkSession, type ReplyWithCalls } from '../../session/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'

export class MastraSession extends SdkSession {
  readonly #approved = new Set<string>()
  readonly #looked = new Set<string>()
  #calls: readonly HostCall[] = []
  #steps = 0

  get steps(): number {
    return this.#steps
  }

  async recordModelReply(step: unknown): Promise<void> {
    const reply = replyOf(step, this.acts)
    await this.recordReply(reply)
    this.#calls = reply.calls
    this.#steps += 1
  }

  override stepEnded(): Promise<readonly string[]> {
    this.#calls = []
    return super.stepEnded()
  }

  proposeToolCall(callId: string, tool: string, input: unknown): Promise<HostAnswer> {
    return this.proposeCall(callOf(callId, tool, input, this.acts))
  }

  callIdOf(tool: string, input: unknown): string | undefined {
    const { args } = callOf('', tool, input, this.acts)
    const words = JSON.stringify(args)
    const found = this.#calls.find(
      (call) => call.tool === tool && JSON.stringify(call.args) === words && !this.#looked.has(call.callId),
    )
    if (found !== undefined) this.#looked.add(found.callId)
    return found?.callId
  }

  approve(callId: string): void {
    this.#approved.add(callId)
  }

  isApproved(callId: string): boolean {
    return this.#approved.has(callId)
  }

  ran(callId: string, tool: string, input: unknown, result: HostResult): void {
    this.recordResult(callOf(callId, tool, input, this.acts), result)
  }
}

export function replyOf(step: unknown, acts: ToolActs): ReplyWithCalls {
  return {
    text: textIn(step, 'text') ?? '',
    calls: listIn(step, 'toolCalls').flatMap((call) => callIn(call, acts) ?? []),
    usage: usageOf(fieldOf(step, 'usage')),
  }
}

function callIn(given: unknown, acts: ToolActs): HostCall | undefined {
  const callId = textIn(given, 'toolCallId')
  const tool = textIn(given, 'toolName')
  return callId === undefined || tool === undefined
    ? undefined
    : callOf(callId, tool, fieldOf(given, 'args'), acts)
}

export function callOf(callId: string, tool: string, input: unknown, acts: ToolActs): HostCall {
  return callOfTool({ callId, tool, args: argumentsOf(input) }, acts)
}

/** Removes the data with which Mastra resumes a suspended call. */
function argumentsOf(input: unknown): JsonValue {
  const args = jsonValueOf(input)
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  return Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'resumeData'))
}

export function resultOf(ended: unknown): HostResult {
  const error = fieldOf(ended, 'error')
  if (error === undefined) return { status: 'ok', output: textOf(fieldOf(ended, 'output')) }
  return { status: 'error', output: textIn(error, 'message') ?? textOf(error) }
}

export function usageOf(given: unknown): TokenUsage | null {
  const usage = reportedUsage({
    inputTokens: fieldOf(given, 'inputTokens'),
    outputTokens: fieldOf(given, 'outputTokens'),
    cachedInputTokens: fieldOf(given, 'cachedInputTokens'),
    reasoningTokens: fieldOf(given, 'reasoningTokens'),
  })
  return usage ?? null
}

/** Declares only the part of Mastra that we use, so that it need not be installed. */
export interface AgentLike {
  generate(input: never, options?: never): Promise<object>
  resumeGenerate?(resumeData: never, options: never): Promise<object>
  getDefaultOptions?(asked?: never): unknown
  listConfiguredOutputProcessors?(requestContext?: never): unknown
  getConfiguredToolHooks?(): unknown
}

export interface ScorerInput {
  readonly output?: unknown
  readonly input?: unknown
  readonly runId?: string
}

export interface ScorerAnswer {
  readonly score: number
  readonly reason?: string
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export type Callable = (...given: readonly unknown[]) => unknown

export function callablesOf(given: unknown): readonly Callable[] {
  const each: readonly unknown[] = Array.isArray(given) ? given : [given]
  return each.filter(isCallable)
}

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}
