import { z } from 'zod'
import { donecheckVersion, given } from '@donecheck/engine/base'
import { type PermissionAnswer, isRecord } from './tool-call.ts'
import { startJsonLines, type JsonLinesProcess, type JsonLine } from '../stream/index.ts'
import type { StartRequest } from '@donecheck/engine/process'
import type { JsonValue } from '@donecheck/core/events'

/** The methods of the protocol that are used here, by its version 1. */
export const methods = {
  initialize: 'initialize',
  newSession: 'session/new',
  loadSession: 'session/load',
  resumeSession: 'session/resume',
  prompt: 'session/prompt',
  cancel: 'session/cancel',
  update: 'session/update',
  requestPermission: 'session/request_permission',
} as const

const protocolVersion = 1

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
  ask(method: string, params: JsonObject, boundMs: number | null): Promise<Answer>
  tell(method: string, params: JsonObject): Promise<void>
  /** The first that the agent printed and that belongs to no message. Undefined: nothing. */
  readonly noise: () => string | undefined
}

type JsonObject = Readonly<Record<string, JsonValue | undefined>>
type Message = Readonly<Record<string, JsonValue>>

const maxNoiseLength = 200
const unknownMethod = -32_601

/**
 * JSON-RPC 2.0, a message a line. An agent that writes more than is consumed is held back.
 * @param listener called anew for each message
 */
export function connect(program: AgentProcess, listener: () => Listener): Connection {
  const waiting = new Map<JsonValue, (answer: Answer) => void>()
  let lastId = 0
  let isClosed = false
  let noise: string | undefined
  const write = (message: JsonObject) => program.write({ jsonrpc: '2.0', ...withoutUndefined(message) })
  const answerRequest = async (id: JsonValue, method: string, params: unknown): Promise<void> => {
    const isKnown = method === methods.requestPermission
    const result = isKnown ? toJson(await listener().onPermissionRequest(params)) : undefined
    const error = isKnown ? undefined : { code: unknownMethod, message: `${method} is not known here` }
    await write({ id, result, error })
  }
  const take = (line: JsonLine): void => {
    const message = line.kind === 'value' && isRecord(line.value) ? line.value : undefined
    const { id, method } = message ?? {}
    const settle = id === undefined ? undefined : waiting.get(id)
    if (message !== undefined && typeof method === 'string') {
      if (id === undefined) {
        if (method === methods.update) listener().onUpdate(message['params'])
        return
      }
      if (typeof id === 'number' || typeof id === 'string') {
        void answerRequest(id, method, message['params']).catch(() => undefined)
        return
      }
    } else if (message !== undefined && id !== undefined && settle !== undefined) {
      waiting.delete(id)
      settle(answerOf(message))
      return
    }
    noise ??= line.kind === 'noise' ? line.text : JSON.stringify(line.value).slice(0, maxNoiseLength)
  }
  const close = (): void => {
    isClosed = true
    for (const settle of waiting.values()) settle({ kind: 'closed' })
    waiting.clear()
  }
  void readAll(program, () => listener().room(), take).finally(close)
  program.onStderr((line) => listener().onStderr(line))
  return {
    noise: () => noise,
    ask(method, params, boundMs) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      if (isClosed) resolve({ kind: 'closed' })
      const id = (lastId += 1)
      waiting.set(id, resolve)
      void write({ id, method, params: withoutUndefined(params) }).then((isWritten) => {
        if (!isWritten) resolve({ kind: 'closed' })
      })
      return within(boundMs, promise)
    },
    tell: async (method, params) => {
      await write({ method, params: withoutUndefined(params) })
    },
  }
}

async function readAll(
  { lines }: AgentProcess,
  room: () => Promise<void>,
  take: (line: JsonLine) => void,
): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]()
  for (;;) {
    await room()
    const next = await iterator.next()
    if (next.done === true) return
    take(next.value)
  }
}

function withoutUndefined(values: JsonObject): Message {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}

function toJson({ outcome }: PermissionAnswer): JsonValue {
  return { outcome: { ...outcome } }
}

function answerOf({ error, result = null }: Message): Answer {
  if (error === undefined || error === null) return { kind: 'answered', result }
  const { code, message, data } = isRecord(error) ? error : {}
  return {
    kind: 'refused',
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'it did not say why',
    ...given({ data }),
  }
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
  protocolVersion: protocolVersion,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'donecheck', title: 'donecheck', version: donecheckVersion },
}

/** Undefined when the agent speaks another version of the protocol, or does not speak it at all. */
export function abilitiesOf(result: unknown): AgentAbilities | undefined {
  const parsed = initialized.safeParse(result)
  if (!parsed.success || parsed.data.protocolVersion !== protocolVersion) return undefined
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
