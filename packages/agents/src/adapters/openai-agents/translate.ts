import {
  callOfTool,
  fieldOf,
  listIn,
  textIn,
  numberIn,
  type HostAct,
  type HostCall,
  type HostResult,
  type ToolActs,
  jsonValueOf,
  textOf,
  noUsage,
  usageSince as usedSince,
} from '../../protocol/host/index.ts'
import { jsonOf } from '@donecheck/engine/internal/base'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { SdkSession } from '../../session/index.ts'

interface Step {
  readonly text: string
  readonly ended: readonly { readonly call: HostCall; readonly result: HostResult }[]
}

export function callOf(item: unknown, acts: ToolActs): HostCall | undefined {
  const callId = textIn(item, 'callId') ?? textIn(item, 'id')
  if (callId === undefined) return undefined
  switch (textIn(item, 'type')) {
    case 'function_call': {
      const tool = textIn(item, 'name') ?? 'function'
      const args = parseArguments(textIn(item, 'arguments') ?? '')
      return callOfTool({ callId, tool, args }, acts)
    }
    case 'hosted_tool_call': {
      const tool = textIn(item, 'name') ?? 'hosted tool'
      return { callId, tool, args: parseArguments(textIn(item, 'arguments') ?? ''), act: { kind: 'read' } }
    }
    case 'shell_call': {
      const commands = listIn(fieldOf(item, 'action'), 'commands').map(textOf)
      const act = { kind: 'command' as const, script: commands.join('\n') }
      return { callId, tool: 'shell', args: { commands }, act }
    }
    case 'apply_patch_call': {
      const operation = jsonValueOf(fieldOf(item, 'operation'))
      return { callId, tool: 'apply_patch', args: operation, act: patchOf(operation) }
    }
    case 'computer_call': {
      const args = jsonValueOf(fieldOf(item, 'actions') ?? fieldOf(item, 'action'))
      return { callId, tool: 'computer', args, act: { kind: 'unknown' } }
    }
    default:
      return undefined
  }
}

function parseArguments(text: string): JsonValue {
  const parsed = jsonOf(text)
  return parsed === undefined ? text : jsonValueOf(parsed)
}

function patchOf(operation: JsonValue): HostAct {
  const path = textIn(operation, 'path') ?? ''
  const moveTo = textIn(operation, 'moveTo')
  const diff = (textIn(operation, 'diff') ?? '').replace(/\n$/, '')
  const head = { create_file: 'Add', update_file: 'Update', delete_file: 'Delete' }[
    textIn(operation, 'type') ?? ''
  ]
  if (head === undefined || path === '') return { kind: 'unknown' }
  const lines = [
    '*** Begin Patch',
    `*** ${head} File: ${path}`,
    ...(moveTo === undefined ? [] : [`*** Move to: ${moveTo}`]),
    ...(diff === '' ? [] : [diff]),
    '*** End Patch',
  ]
  return { kind: 'patch', patch: lines.join('\n') }
}

interface Ending {
  readonly callId: string
  readonly result: HostResult
}

function endingOf(item: unknown): Ending | undefined {
  const callId = textIn(item, 'callId') ?? textIn(item, 'id')
  if (callId === undefined) return undefined
  const output = fieldOf(item, 'output')
  switch (textIn(item, 'type')) {
    case 'function_call_result':
      return { callId, result: functionResult(outputText(output)) }
    case 'shell_call_output':
      return { callId, result: { status: shellStatus(output), output: textOf(output) } }
    case 'apply_patch_call_output': {
      const status = textIn(item, 'status') === 'failed' ? 'error' : 'ok'
      return { callId, result: { status, output: outputText(output) } }
    }
    case 'computer_call_result':
      return { callId, result: { status: 'unknown', output: 'a picture of the screen' } }
    case 'hosted_tool_call': {
      const status = textIn(item, 'status') === 'failed' ? 'error' : 'unknown'
      return { callId, result: { status, output: outputText(output) } }
    }
    default:
      return undefined
  }
}

/** Only the output shows whether the tool threw. */
function functionResult(output: string): HostResult {
  const hasFailed = output.startsWith('An error occurred while running the tool')
  return { status: hasFailed ? 'error' : 'unknown', output }
}

function outputText(output: unknown): string {
  const parts = Array.isArray(output) ? output : [output]
  return parts.map((part: unknown) => textIn(part, 'text') ?? textOf(part)).join('\n')
}

function shellStatus(output: unknown): HostResult['status'] {
  const outcomes = (Array.isArray(output) ? output : []).map((each: unknown) => fieldOf(each, 'outcome'))
  const failed = outcomes.some(
    (outcome) => textIn(outcome, 'type') === 'timeout' || fieldOf(outcome, 'exitCode') !== 0,
  )
  return failed ? 'error' : 'ok'
}

/** The latest reply and its calls. @param reported ids of known calls */
export function lastStep(items: readonly Item[], reported: ReadonlySet<string>, acts: ToolActs): Step {
  const start = items.findLastIndex((item) => textIn(item, 'role') === 'user' || reported.has(idOf(item))) + 1
  const news = items.slice(start)
  const endings = news.flatMap((item) => endingOf(item) ?? [])
  return {
    text: news
      .flatMap((item) => (textIn(item, 'role') === 'assistant' ? [textOfMessage(item)] : []))
      .join('\n'),
    ended: news.flatMap((item) => {
      const call = callOf(item, acts)
      const ending = endings.find(({ callId }) => callId === call?.callId)
      return call === undefined || ending === undefined ? [] : [{ call, result: ending.result }]
    }),
  }
}

function idOf(item: Item): string {
  return endingOf(item)?.callId ?? callOf(item, {})?.callId ?? ''
}

function textOfMessage(item: Item): string {
  const content = fieldOf(item, 'content')
  if (typeof content === 'string') return content
  return listIn(item, 'content')
    .map((part) => textIn(part, 'text', 'refusal') ?? '')
    .join('')
}

export function usageSince(now: UsageLike | undefined, before: TokenUsage): TokenUsage | null {
  if (now === undefined) return null
  const usage = usedSince(totalOf(now), before)
  return usage.inputTokens === 0 && usage.outputTokens === 0 ? null : usage
}

export function totalOf({ inputTokens, outputTokens, ...details }: UsageLike): TokenUsage {
  return {
    ...{ inputTokens, outputTokens, estimated: false },
    cachedInputTokens: detailOf(details.inputTokensDetails, 'cached_tokens'),
    reasoningTokens: detailOf(details.outputTokensDetails, 'reasoning_tokens'),
  }
}

function detailOf(details: unknown, name: string): number {
  const each: readonly unknown[] = Array.isArray(details) ? details : [details]
  return each.reduce<number>((sum, detail) => sum + (numberIn(detail, name) ?? 0), 0)
}

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

export function isAgent(value: unknown): value is AgentLike {
  return textIn(value, 'name') !== undefined
}

export function usageOf(context: unknown): UsageLike | undefined {
  const usage = fieldOf(context, 'usage')
  return isUsage(usage) ? usage : undefined
}

function isUsage(value: unknown): value is UsageLike {
  return numberIn(value, 'inputTokens') !== undefined && numberIn(value, 'outputTokens') !== undefined
}

export function itemsIn(value: unknown, name: string): readonly Item[] {
  return listIn(value, name).filter((item) => typeof item === 'object' && item !== null)
}

interface NextStep {
  readonly advice: readonly string[]
  readonly end: string | undefined
}

export class AgentsSession extends SdkSession {
  readonly #told = new Set<string>()
  #usage: UsageLike | undefined
  #known: TokenUsage = noUsage
  #isFirstCall = true

  /** The SDK restarts its count with every `run` without a state. */
  begins(): void {
    this.#usage = undefined
    this.#known = noUsage
    this.#isFirstCall = true
  }

  counts(usage: UsageLike | undefined): void {
    this.#usage = usage ?? this.#usage
  }

  async beforeModel(items: readonly Item[]): Promise<NextStep> {
    const advice = this.#isFirstCall ? [] : await this.#tellStep(items)
    this.#isFirstCall = false
    return { advice, end: this.ended }
  }

  async endsTurn(items: readonly Item[], text: string): Promise<string | undefined> {
    await this.#tellStep(items)
    return this.verifyTurnEnd(text)
  }

  async #tellStep(items: readonly Item[]): Promise<readonly string[]> {
    const { text, ended } = lastStep(items, this.#told, this.acts)
    const usage = usageSince(this.#usage, this.#known)
    if (this.#usage !== undefined) this.#known = totalOf(this.#usage)
    for (const { call } of ended) this.#told.add(call.callId)
    return this.recordStep({ text, usage }, ended)
  }
}
