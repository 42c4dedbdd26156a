import {
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AnyMessage,
  type Stream,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { donecheckVersion, given } from '@donecheck/engine/base'
import { type PermissionAnswer, isRecord } from './tool-call.ts'
import { startJsonLines, type JsonLinesProcess, type JsonLine } from '../stream/index.ts'
import type { StartRequest } from '@donecheck/engine/process'
import type { JsonValue } from '@donecheck/core/events'

export interface Listener {
  onUpdate(params: unknown): void
  onPermissionRequest(params: unknown): Promise<PermissionAnswer>
  onStderr(line: string): void
  room(): Promise<void>
}

export type Answer =
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'closed' }
  | { readonly kind: 'late' }

export interface Connection {
  /** Never rejects. @param boundMs null: as long as it takes */
  ask(method: string, params: object, boundMs: number | null): Promise<Answer>
  tell(method: string, params: object): Promise<void>
  readonly noise: () => string | undefined
}

/** @param listener called anew for each message */
export function connect(program: AgentProcess, listener: () => Listener): Connection {
  const { stream, noise } = streamMessages(program, () => listener().room())
  program.onStderr((line) => listener().onStderr(line))
  const { agent } = client({ name: 'donecheck' })
    .onNotification<unknown>(methods.client.session.update, asItIs, ({ params }) =>
      listener().onUpdate(params),
    )
    .onRequest<unknown, PermissionAnswer>(methods.client.session.requestPermission, asItIs, ({ params }) =>
      listener().onPermissionRequest(params),
    )
    .connect(stream)
  return {
    noise,
    ask: (method, params, boundMs) =>
      within(boundMs, agent.request(method, params).then(resultAnswer, errorAnswer)),
    tell: (method, params) => agent.notify(method, params).catch(() => undefined),
  }
}

/** Agents differ from the schema in ways that do not matter: each field is looked at where it is used. */
function asItIs(params: unknown): unknown {
  return params
}

function resultAnswer(result: unknown): Answer {
  return { kind: 'answered', result }
}

function errorAnswer(error: unknown): Answer {
  if (!(error instanceof RequestError)) return { kind: 'closed' }
  const { code, message, data } = error
  return { kind: 'refused', code, message, data }
}

async function within(boundMs: number | null, answer: Promise<Answer>): Promise<Answer> {
  if (boundMs === null) return answer
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(resolve, boundMs, { kind: 'late' })
  void answer.then(resolve)
  return promise.finally(() => clearTimeout(timer))
}

export interface AgentAbilities {
  /** `resume`: the session goes on. `load`: it is told again from its beginning first. */
  readonly continues: 'resume' | 'load' | undefined
  readonly logins: readonly string[]
}

const initialized = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish().catch(undefined),
      sessionCapabilities: z.object({ resume: z.unknown() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  authMethods: z
    .array(z.object({ name: z.string() }))
    .nullish()
    .catch(undefined),
})

/**
 * No file system and no terminal are offered. Every agent that was measured shows a change whole where it asks for it; a
 * write that came through us would come in the middle of a call that is already running, and would be one way round the
 * gate less of many: an agent has a shell of its own.
 */
export const initializeParams = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'donecheck', title: 'donecheck', version: donecheckVersion },
}

/** Undefined when the agent speaks another version of the protocol, or does not speak it at all. */
export function abilitiesOf(result: unknown): AgentAbilities | undefined {
  const parsed = initialized.safeParse(result)
  if (!parsed.success || parsed.data.protocolVersion !== PROTOCOL_VERSION) return undefined
  const { agentCapabilities: can, authMethods } = parsed.data
  const resumes = can?.sessionCapabilities?.resume
  const continues =
    resumes !== undefined && resumes !== null ? 'resume' : can?.loadSession === true ? 'load' : undefined
  return { continues, logins: (authMethods ?? []).map(({ name }) => name) }
}

export interface AgentProcess extends JsonLinesProcess {
  /**
   * Nothing of the agent works from now on, as far as it stayed in its group: what is checked is what it has left. It does
   * not keep this process alive either.
   */
  freeze(): void
  thaw(): void
}

export function startAgentProcess(request: Omit<StartRequest, 'keepsInputOpen'>): AgentProcess {
  const program = startJsonLines({ ...request, keepsInputOpen: true })
  const { groupId } = program
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
  })
  const signal = (name: NodeJS.Signals) => {
    if (groupId === undefined || hasEnded) return
    try {
      process.kill(-groupId, name)
    } catch {
      // It has just ended.
    }
  }
  const thaw = () => {
    signal('SIGCONT')
    program.hold(true)
  }
  return {
    ...program,
    freeze: () => {
      signal('SIGSTOP')
      program.hold(false)
    },
    thaw,
    end: () => {
      // Who stands still cannot hear that it is to end.
      thaw()
      return program.end()
    },
  }
}

interface Messages {
  readonly stream: Stream
  readonly noise: () => string | undefined
}

/** @param room resolves when more may be read: an agent that writes more than is consumed is held back */
function streamMessages(program: JsonLinesProcess, room: () => Promise<void>): Messages {
  const asked = new Set<number | string>()
  let noise: string | undefined
  const lines = readLines(program)
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          await room()
          const next = await lines.next()
          if (next.done === true) {
            controller.close()
            return
          }
          const line = next.value
          const message = line.kind === 'value' ? messageOf(line.value, asked) : undefined
          if (message !== undefined) {
            controller.enqueue(message)
            return
          }
          noise ??= line.kind === 'noise' ? line.text : JSON.stringify(line.value).slice(0, maxNoiseLength)
        }
      },
    },
    { highWaterMark: 0 },
  )
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ('method' in message && 'id' in message && message.id !== null) asked.add(message.id)
      // It is JSON: it comes from the library, which is about to send it.
      const isWritten = await program.write(JSON.parse(JSON.stringify(message)) as JsonValue)
      if (!isWritten) throw new Error('the agent does not listen any more')
    },
  })
  return { stream: { readable, writable }, noise: () => noise }
}

const maxNoiseLength = 200

async function* readLines({ lines }: JsonLinesProcess): AsyncGenerator<JsonLine, undefined> {
  yield* lines
  return undefined
}

/** Requests, notifications, and answers to what was asked. The library would print the rest on our stderr. */
function messageOf(value: JsonValue, asked: Set<number | string>): AnyMessage | undefined {
  if (!isRecord(value)) return undefined
  const { id, method } = value
  if (typeof method === 'string') {
    const isNotice = id === undefined
    if (!isNotice && typeof id !== 'number' && typeof id !== 'string') return undefined
    const params = value['params']
    return { jsonrpc: '2.0', method, ...(isNotice ? {} : { id }), ...given({ params }) }
  }
  if ((typeof id !== 'number' && typeof id !== 'string') || !asked.delete(id)) return undefined
  return answerOf(id, value)
}

function answerOf(
  id: number | string,
  { error, result = null }: Readonly<Record<string, JsonValue>>,
): AnyMessage {
  if (error === undefined || error === null) return { jsonrpc: '2.0', id, result }
  const about = isRecord(error) ? error : {}
  const { code, message, data } = about
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message : 'it did not say why',
      ...given({ data }),
    },
  }
}
