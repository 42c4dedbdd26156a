import {
  isTrueIn,
  jsonValueOf,
  listIn,
  recordsIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from '../../protocol/host/index.ts'
import {
  networkFailure,
  providerFailure,
  type AgentSignal,
  type LinesEnd,
  type TurnEnded,
  configurationFailure,
  failedTurn,
  failureInText,
} from '../../protocol/stream/index.ts'
import { epochMs } from '@donecheck/engine/internal/system/models'
import type { JsonValue, AgentFailure } from '@donecheck/core/internal/events'
import { addSpent, spentInResult, tokensIn, type ClaudeSpending, type Spent } from './spending.ts'
import { effectOf, isSubagent } from './hooks.ts'

/** Background work that ends within the turn; a server or a watcher need not. */
const awaited = /agent|workflow/

export class ClaudeTranslator {
  readonly #spending: ClaudeSpending
  #model = ''
  #permissionMode: string | undefined
  #hasBegun = false
  #background = 0
  /** Undefined if there is no result, or the agent continued after it. */
  #result: Payload | undefined
  #spent: Spent | undefined
  readonly #inPieces = new Set<string>()
  #latestWhole = ''
  #resetsAtMs: number | undefined

  constructor(spending: ClaudeSpending) {
    this.#spending = spending
  }

  get permissionMode(): string | undefined {
    return this.#permissionMode
  }

  get isOver(): boolean {
    return this.#result !== undefined && this.#background === 0
  }

  *line(value: JsonValue): Generator<AgentSignal> {
    const line = payloadOf(value)
    if (line === undefined) return
    switch (line['type']) {
      case 'system':
        yield* this.#system(line)
        return
      case 'stream_event':
        yield* this.#piece(line)
        return
      case 'assistant':
        // Claude Code's own message about a provider error; the end of the turn reports the failure.
        if (line['error'] === undefined) yield* this.#reply(line)
        return
      case 'rate_limit_event':
        this.#resetsAtMs = resetOf(payloadOf(line['rate_limit_info']))
        return
      case 'user':
        yield* results(line)
        return
      case 'result':
        this.#result = line
        this.#spent = addSpent(this.#spent, spentInResult(line))
        return
    }
  }

  end(end: LinesEnd, noise: readonly string[]): TurnEnded | Extract<AgentSignal, { kind: 'session-lost' }> {
    const result = this.#result
    const errors = result === undefined ? [] : errorsIn(result)
    const said = [...errors, end.stderrTail].join('\n')
    if (/No conversation found with session ID|Session ID \S+ is already in use/.test(said))
      return { kind: 'session-lost', message: said.trim().split('\n')[0] ?? '' }
    if (result === undefined) return withoutResult(this.#hasBegun, end, noise)
    const spent = this.#spent === undefined ? {} : this.#spending.rest(this.#spent)
    const ended = { kind: 'turn-ended' as const, text: textIn(result, 'result') ?? '', ...spent }
    const failure = failureOf(result, this.#resetsAtMs)
    if (failure !== undefined) return { ...ended, text: '', failure }
    const problem = problemOf(result)
    if (problem !== undefined) return { ...ended, problem }
    return textIn(result, 'stop_reason') === 'max_tokens' ? { ...ended, wasCutOff: true } : ended
  }

  *#system(line: Payload): Generator<AgentSignal> {
    const id = textIn(line, 'session_id')
    switch (line['subtype']) {
      case 'init':
        this.#permissionMode ??= textIn(line, 'permissionMode')
        this.#hasBegun = true
        this.#model = textIn(line, 'model') ?? ''
        if (id !== undefined) yield { kind: 'session', id }
        return
      case 'api_retry':
        yield retryOf(line)
        return
      case 'background_tasks_changed':
        this.#background = recordsIn(line, 'tasks').filter((task) =>
          awaited.test(textIn(task, 'task_type') ?? ''),
        ).length
        return
    }
  }

  *#piece(line: Payload): Generator<AgentSignal> {
    const event = payloadOf(line['event'])
    if (event === undefined || typeof line['parent_tool_use_id'] === 'string') return
    // Background work may cause another reply after a result.
    this.#result = undefined
    const delta = payloadOf(event['delta'])
    switch (event['type']) {
      case 'message_start': {
        const message = payloadOf(event['message'])
        this.#inPieces.add(textIn(message, 'id') ?? '')
        this.#model = textIn(message, 'model') ?? this.#model
        return
      }
      case 'content_block_delta': {
        const piece = textIn(delta, 'text')
        if (delta?.['type'] === 'text_delta' && piece !== undefined) yield { kind: 'text', piece }
        return
      }
      case 'message_delta': {
        const usage = payloadOf(event['usage'])
        if (usage !== undefined) yield { kind: 'step', ...this.#spending.step(tokensIn(usage), this.#model) }
        return
      }
    }
  }

  /** Each block of a reply is one line with the same id and usage. */
  *#reply(line: Payload): Generator<AgentSignal> {
    const message = payloadOf(line['message'])
    if (message === undefined) return
    const id = textIn(message, 'id') ?? ''
    const isMain = typeof line['parent_tool_use_id'] !== 'string'
    const isWhole = !this.#inPieces.has(id)
    for (const block of recordsIn(message, 'content')) {
      const text = textIn(block, 'text')
      if (isMain && isWhole && block['type'] === 'text' && text !== undefined)
        yield { kind: 'text', piece: text }
      if (block['type'] === 'tool_use') yield callOf(block)
    }
    if (!isWhole || id === this.#latestWhole) return
    this.#latestWhole = id
    const usage = payloadOf(message['usage'])
    const model = textIn(message, 'model') ?? this.#model
    if (usage !== undefined) yield { kind: 'step', ...this.#spending.step(tokensIn(usage), model) }
  }
}

function callOf(block: Payload): AgentSignal {
  const tool = textIn(block, 'name') ?? ''
  return {
    kind: 'call',
    callId: textIn(block, 'id') ?? '',
    tool,
    args: jsonValueOf(block['input'] ?? {}),
    effect: effectOf(tool),
    ...(isSubagent(tool) ? { holdsOthers: true as const } : {}),
  }
}

function* results(line: Payload): Generator<AgentSignal> {
  const message = payloadOf(line['message'])
  if (message === undefined) return
  for (const block of recordsIn(message, 'content')) {
    const callId = textIn(block, 'tool_use_id')
    if (block['type'] !== 'tool_result' || callId === undefined) continue
    const status = isTrueIn(block, 'is_error') ? 'error' : 'ok'
    yield { kind: 'call-ended', callId, status, output: outputOf(block['content']) }
  }
}

function outputOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  const blocks = content.map((block: unknown) => payloadOf(block))
  return blocks.map((block) => textIn(block, 'text') ?? `[${textIn(block, 'type') ?? 'unknown'}]`).join('\n')
}

function resetOf(info: Payload | undefined): number | undefined {
  const resetsAt = info === undefined ? undefined : numberIn(info, 'resetsAt')
  return textIn(info, 'status') === 'rejected' && resetsAt !== undefined ? epochMs(resetsAt) : undefined
}

function retryOf(line: Payload): AgentSignal {
  const status = numberIn(line, 'error_status')
  const waitMs = numberIn(line, 'retry_delay_ms') ?? 0
  const cause = textIn(line, 'error') ?? 'unknown'
  const failure =
    status === undefined
      ? networkFailure('Claude Code cannot reach its provider (ANTHROPIC_BASE_URL)')
      : providerFailure(status, `the provider of Claude Code answered ${status} (${cause})`)
  const asksToWait = failure.kind === 'rate-limited' || failure.kind === 'server-error'
  return { kind: 'retrying', waitMs, failure: asksToWait ? { ...failure, retryAfterMs: waitMs } : failure }
}

/** The agent was killed, crashed or never produced a result. */
function withoutResult(hasBegun: boolean, { kind, problem }: LinesEnd, noise: readonly string[]): TurnEnded {
  const heard = noise.length === 0 ? '' : `; it printed: ${noise.join(' | ')}`
  const ended = { kind: 'turn-ended' as const, text: '' }
  if (kind === 'not-started')
    return failedTurn(
      configurationFailure(`Claude Code cannot be run: ${problem}. Install it, or put it on PATH`),
    )
  if (!hasBegun && kind === 'exited')
    return failedTurn(configurationFailure(`Claude Code did not begin: ${problem}${heard}`))
  return { ...ended, problem: `Claude Code said nothing of the end of its turn: ${problem}${heard}` }
}

const maxDetailsLength = 1000

function errorsIn(result: Payload): readonly string[] {
  return listIn(result, 'errors').filter((error) => typeof error === 'string')
}

function problemOf(result: Payload): string | undefined {
  const text = textIn(result, 'result')
  const isError = isTrueIn(result, 'is_error')
  const details = [...errorsIn(result), ...(isError && text !== undefined ? [text] : [])].join('; ')
  const reported = details === '' ? '' : `: ${details.slice(0, maxDetailsLength).toWellFormed()}`
  const subtype = textIn(result, 'subtype') ?? ''
  const terminal = textIn(result, 'terminal_reason') ?? 'completed'
  if (subtype !== 'success')
    return `it ended with ${subtype === '' ? 'a result of no kind' : subtype}${reported}`
  if (isError) return `it ended with an error${reported}`
  if (terminal !== 'completed') return `it ended by ${terminal}${reported}`
  if (text !== undefined && text.trim() !== '') return undefined
  const denied = recordsIn(result, 'permission_denials').flatMap((one) => textIn(one, 'tool_name') ?? [])
  return `it ended without a last word${denied.length === 0 ? '' : `, after it was denied ${denied.join(', ')}`}`
}

function failureOf(result: Payload, resetsAtMs: number | undefined): AgentFailure | undefined {
  if (!isTrueIn(result, 'is_error')) return undefined
  const text = textIn(result, 'result') ?? ''
  const details = text === '' ? errorsIn(result).join('; ') : text
  const message = `Claude Code: ${details.slice(0, maxDetailsLength).toWellFormed()}`
  if (resetsAtMs !== undefined) return { kind: 'usage-limited', message, retryable: true, resetsAtMs }
  const failure = failureInText(message, numberIn(result, 'api_error_status'))
  if (failure !== undefined) return failure
  const isOfProvider = textIn(result, 'terminal_reason') === 'api_error' || /^API Error\b/.test(text)
  return isOfProvider ? providerFailure(500, message) : undefined
}
