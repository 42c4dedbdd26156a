/** Both directions of `codex app-server`: one JSON-RPC message a line, without a `jsonrpc` member. */
import { payloadOf, textIn, type Payload } from '../../../protocol/hooks/index.ts'
import type { JsonLinesProcess, LinesEnd } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'

export type ServerMessage =
  | { readonly kind: 'notification'; readonly method: string; readonly params: Payload }
  | { readonly kind: 'request'; readonly id: JsonValue; readonly method: string; readonly params: Payload }

type Incoming = ServerMessage | { readonly kind: 'reply'; readonly id: unknown; readonly reply: ServerReply }

export type ServerReply =
  | { readonly kind: 'result'; readonly result: Payload }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'gone' }

export class AppServerPeer {
  readonly #program: JsonLinesProcess
  readonly #lines: AsyncIterator<JsonLinesProcess['lines'] extends AsyncIterable<infer Line> ? Line : never>
  readonly #waiting: ServerMessage[] = []
  #lastId = 0

  constructor(program: JsonLinesProcess) {
    this.#program = program
    this.#lines = program.lines[Symbol.asyncIterator]()
  }

  get ended(): Promise<LinesEnd> {
    return this.#program.ended
  }

  get waiting(): readonly ServerMessage[] {
    return this.#waiting
  }

  /** Reads on until the answer has come; only while nobody else reads. Never rejects. */
  async request(method: string, params: JsonValue): Promise<ServerReply> {
    const id = await this.send(method, params)
    for (;;) {
      const incoming = await this.#next()
      if (incoming === undefined) return { kind: 'gone' }
      if (incoming.kind !== 'reply') this.#waiting.push(incoming)
      else if (incoming.id === id) return incoming.reply
    }
  }

  async send(method: string, params: JsonValue): Promise<number> {
    this.#lastId += 1
    await this.#program.write({ method, id: this.#lastId, params })
    return this.#lastId
  }

  async steer(threadId: string, turnId: string, text: string): Promise<void> {
    await this.send('turn/steer', { threadId, expectedTurnId: turnId, input: [{ type: 'text', text }] })
  }

  /** Codex begins turns by itself for a goal that is active. Of a thread without a goal nothing comes. */
  async pauseGoal(threadId: string): Promise<void> {
    await this.request('thread/goal/set', { threadId, status: 'paused' })
  }

  async notify(method: string): Promise<void> {
    await this.#program.write({ method })
  }

  /** @throws when the server does not listen any more */
  async answer(id: JsonValue, result: JsonValue): Promise<void> {
    if (!(await this.#program.write({ id, result }))) throw new Error('codex does not listen any more')
  }

  async cannotAnswer(id: JsonValue, method: string): Promise<void> {
    await this.#program.write({ id, error: { code: -32601, message: `${method} is not known here` } })
  }

  async *messages(): AsyncGenerator<ServerMessage> {
    for (;;) {
      const message = this.#waiting.shift() ?? (await this.#next())
      if (message === undefined) return
      if (message.kind !== 'reply') yield message
    }
  }

  async #next(): Promise<Incoming | undefined> {
    for (;;) {
      const line = await this.#lines.next()
      if (line.done === true) return undefined
      const incoming = line.value.kind === 'value' ? incomingOf(line.value.value) : undefined
      if (incoming !== undefined) return incoming
    }
  }
}

function incomingOf(value: JsonValue): Incoming | undefined {
  const message = payloadOf(value)
  if (message === undefined) return undefined
  const method = textIn(message, 'method')
  const params = payloadOf(message['params']) ?? {}
  const id = message['id']
  if (method === undefined) return { kind: 'reply', id, reply: replyOf(message) }
  if (typeof id === 'string' || typeof id === 'number') return { kind: 'request', id, method, params }
  return { kind: 'notification', method, params }
}

function replyOf(message: Payload): ServerReply {
  const error = payloadOf(message['error'])
  return error === undefined
    ? { kind: 'result', result: payloadOf(message['result']) ?? {} }
    : { kind: 'error', message: textIn(error, 'message') ?? 'an error without a message' }
}
