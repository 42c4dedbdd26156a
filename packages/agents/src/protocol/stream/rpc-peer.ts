import type { JsonValue } from '@donecheck/core/internal/events'
import { settlesWithin } from '@donecheck/engine/internal/system/process'
import { fieldOf, numberIn, payloadOf, textIn, textOf, type Payload } from '../host/index.ts'
import type { JsonLine, JsonLinesProcess, LinesEnd } from './json-lines.ts'

export type RpcMessage = RpcCall | { readonly kind: 'reply'; readonly id: unknown; readonly reply: RpcReply }

export type RpcCall =
  | { readonly kind: 'notification'; readonly method: string; readonly params: Payload }
  | { readonly kind: 'request'; readonly id: JsonValue; readonly method: string; readonly params: Payload }

/** `gone`: the program closed its output. `late`: it did not reply in time. */
export type RpcReply =
  | { readonly kind: 'result'; readonly result: Payload }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'gone' }
  | { readonly kind: 'late' }

type Params = Readonly<Record<string, JsonValue>>

const unknownMethod = -32_601
const maxNoiseLength = 200

/** JSON-RPC over lines. The program is throttled while no message is requested. */
export class RpcPeer {
  readonly #program: JsonLinesProcess
  readonly #envelope: Params
  readonly #lines: AsyncIterator<JsonLine, unknown>
  readonly #waiting: RpcCall[] = []
  #reading: Promise<RpcMessage | 'gone'> | undefined
  #lastId = 0
  #noise: string | undefined

  /** @param envelope fields of every message, such as `{ jsonrpc: '2.0' }` */
  constructor(program: JsonLinesProcess, envelope: Params = {}) {
    this.#program = program
    this.#envelope = envelope
    this.#lines = program.lines[Symbol.asyncIterator]()
  }

  get ended(): Promise<LinesEnd> {
    return this.#program.ended
  }

  get waiting(): readonly RpcCall[] {
    return this.#waiting
  }

  get noise(): string | undefined {
    return this.#noise
  }

  /** Reads until the reply arrives; other messages are queued. Never rejects. */
  async request(method: string, params: Params, timeoutMs?: number): Promise<RpcReply> {
    const id = await this.send(method, params)
    const untilMs = performance.now() + (timeoutMs ?? 0)
    for (;;) {
      const remainingMs = timeoutMs === undefined ? undefined : Math.max(0, untilMs - performance.now())
      const message = await this.#read(remainingMs)
      if (message === 'gone' || message === 'late') return { kind: message }
      if (message.kind !== 'reply') this.#waiting.push(message)
      else if (message.id === id) return message.reply
    }
  }

  async send(method: string, params: Params): Promise<number> {
    this.#lastId += 1
    const id = this.#lastId
    await this.#program.write({ ...this.#envelope, method, id, params })
    return id
  }

  async notify(method: string, params?: Params): Promise<void> {
    await this.#program.write({ ...this.#envelope, method, ...(params === undefined ? {} : { params }) })
  }

  /** @throws {Error} if the program no longer reads its input */
  async answer(id: JsonValue, result: JsonValue): Promise<void> {
    if (!(await this.#program.write({ ...this.#envelope, id, result })))
      throw new Error('the agent does not listen any more')
  }

  async cannotAnswer(id: JsonValue, method: string): Promise<void> {
    const error = { code: unknownMethod, message: `${method} is not known here` }
    await this.#program.write({ ...this.#envelope, id, error })
  }

  /** `late` if no message came in time; only one caller may wait at a time. */
  async next(timeoutMs?: number): Promise<RpcMessage | 'gone' | 'late'> {
    return this.#waiting.shift() ?? this.#read(timeoutMs)
  }

  async *calls(): AsyncGenerator<RpcCall> {
    for (;;) {
      const message = await this.next()
      if (message === 'gone' || message === 'late') return
      if (message.kind !== 'reply') yield message
    }
  }

  async #read(timeoutMs?: number): Promise<RpcMessage | 'gone' | 'late'> {
    this.#reading ??= this.#readMessage()
    if (timeoutMs !== undefined && !(await settlesWithin(this.#reading, timeoutMs))) return 'late'
    const message = await this.#reading
    this.#reading = undefined
    return message
  }

  async #readMessage(): Promise<RpcMessage | 'gone'> {
    for (;;) {
      const next = await this.#lines.next()
      if (next.done === true) return 'gone'
      const line = next.value
      const message = line.kind === 'value' ? messageOf(line.value) : undefined
      if (message !== undefined) return message
      this.#noise ??= (line.kind === 'value' ? textOf(line.value) : line.text).slice(0, maxNoiseLength)
    }
  }
}

function messageOf(value: JsonValue): RpcMessage | undefined {
  const message = payloadOf(value)
  if (message === undefined) return undefined
  const method = textIn(message, 'method')
  const params = payloadOf(message['params']) ?? {}
  const { id } = message
  if (method === undefined)
    return id === undefined ? undefined : { kind: 'reply', id, reply: replyOf(message) }
  if (typeof id === 'string' || typeof id === 'number') return { kind: 'request', id, method, params }
  return { kind: 'notification', method, params }
}

function replyOf(message: Payload): RpcReply {
  const error = payloadOf(message['error'])
  if (error === undefined) return { kind: 'result', result: payloadOf(message['result']) ?? {} }
  const said = textIn(error, 'message') ?? 'an error without a message'
  return { kind: 'error', code: numberIn(error, 'code') ?? 0, message: said, data: fieldOf(error, 'data') }
}
