/** What `claude -p --output-format stream-json` prints, as signals. Pure, but for what it remembers of its turn. */
import {
  isTrueIn,
  jsonValueOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from '../../protocol/hooks/index.ts'
import {
  networkFailure,
  providerFailure,
  type AgentSignal,
  type LineTranslator,
  type LinesEnd,
  type Noise,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import { epochMs } from '@donecheck/engine/models'
import type { JsonValue } from '@donecheck/core/events'
import type { ClaudeSpending } from './spending.ts'
import { effectOf, isSubagent } from './tools.ts'
import { turnEndOf } from './translate-end.ts'
import { laterResult, resultOf, tokensIn, type ClaudeResult } from './translate-result.ts'

/** Background work that ends by itself and is told of in the turn; a server or a watcher need not. */
const awaited = /agent|workflow/

export class ClaudeTranslator implements LineTranslator {
  readonly #spending: ClaudeSpending
  #model = ''
  #permissionMode: string | undefined
  #hasBegun = false
  #background = 0
  /** Undefined: none, or the agent has gone on after it. */
  #result: ClaudeResult | undefined
  #latest: ClaudeResult | undefined
  /** Replies of which pieces are told; the others are told as a whole. */
  readonly #inPieces = new Set<string>()
  #latestWhole = ''
  #resetsAtMs: number | undefined

  constructor(spending: ClaudeSpending) {
    this.#spending = spending
  }

  /** In which the session has begun. */
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
        // Made by Claude Code itself of what its provider answered: the end of the turn tells it as a failure.
        if (line['error'] === undefined) yield* this.#reply(line)
        return
      case 'rate_limit_event':
        this.#resetsAtMs = resetOf(payloadOf(line['rate_limit_info']))
        return
      case 'user':
        yield* results(line)
        return
      case 'result':
        this.#result = this.#latest = laterResult(this.#latest, resultOf(line))
        return
    }
  }

  end(end: LinesEnd, noise: Noise): TurnEnded | Extract<AgentSignal, { kind: 'session-lost' }> {
    return turnEndOf({
      ...{ result: this.#result, hasBegun: this.#hasBegun, end, noise, spending: this.#spending },
      resetsAtMs: this.#resetsAtMs,
    })
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
        this.#background = listIn(line, 'tasks').filter((task) =>
          awaited.test(textIn(task, 'task_type') ?? ''),
        ).length
        return
    }
  }

  /** Only the main conversation comes in pieces. */
  *#piece(line: Payload): Generator<AgentSignal> {
    const event = payloadOf(line['event'])
    if (event === undefined || typeof line['parent_tool_use_id'] === 'string') return
    // After a result there can be another reply: what was told in the background is answered.
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

  /** One line for every block of a reply: all of one reply have its name, and say the same of its usage. */
  *#reply(line: Payload): Generator<AgentSignal> {
    const message = payloadOf(line['message'])
    if (message === undefined) return
    const id = textIn(message, 'id') ?? ''
    const isMain = typeof line['parent_tool_use_id'] !== 'string'
    const isWhole = !this.#inPieces.has(id)
    for (const block of listIn(message, 'content')) {
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
  for (const block of listIn(message, 'content')) {
    const callId = textIn(block, 'tool_use_id')
    if (block['type'] !== 'tool_result' || callId === undefined) continue
    const status = isTrueIn(block, 'is_error') ? 'error' : 'ok'
    yield { kind: 'call-ended', callId, status, output: outputOf(block['content']) }
  }
}

/** Text, or a list of blocks; pictures are named and left out. */
function outputOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  const blocks = content.map((block: unknown) => payloadOf(block))
  return blocks.map((block) => textIn(block, 'text') ?? `[${textIn(block, 'type') ?? 'unknown'}]`).join('\n')
}

/** @returns undefined if the account may go on */
function resetOf(info: Payload | undefined): number | undefined {
  const resetsAt = info === undefined ? undefined : numberIn(info, 'resetsAt')
  return textIn(info, 'status') === 'rejected' && resetsAt !== undefined ? epochMs(resetsAt) : undefined
}

/** It asks its provider again by itself. */
function retryOf(line: Payload): AgentSignal {
  const status = numberIn(line, 'error_status')
  const waitMs = numberIn(line, 'retry_delay_ms') ?? 0
  const cause = textIn(line, 'error') ?? 'unknown'
  const failure =
    status === undefined
      ? networkFailure('Claude Code cannot reach its provider: is the address right (ANTHROPIC_BASE_URL)?')
      : providerFailure(status, `the provider of Claude Code answered ${status} (${cause})`)
  const asksToWait = failure.kind === 'rate-limited' || failure.kind === 'server-error'
  return { kind: 'retrying', waitMs, failure: asksToWait ? { ...failure, retryAfterMs: waitMs } : failure }
}
