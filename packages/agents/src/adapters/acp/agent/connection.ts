/** The client's end of the protocol over one process. */
import { client, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { donecheckVersion } from '@donecheck/engine/base'
import type { AgentProcess } from './agent-process.ts'
import { streamMessages } from './messages.ts'
import type { PermissionAnswer } from '../calls/permission.ts'

/** Whoever is at work; between turns nobody is. Neither may throw. */
export interface Listener {
  onUpdate(params: unknown): void
  onPermissionRequest(params: unknown): Promise<PermissionAnswer>
  /** Resolves when more may be told. */
  room(): Promise<void>
}

export type Answer =
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** The process is gone, or does not listen. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'late' }

export interface Connection {
  /** Never rejects. @param boundMs null: as long as it takes */
  ask(method: string, params: object, boundMs: number | null): Promise<Answer>
  tell(method: string, params: object): Promise<void>
  /** What the agent printed that was no message of the protocol. */
  readonly noise: () => string | undefined
}

/** @param listener asked anew for each message */
export function connect(program: AgentProcess, listener: () => Listener): Connection {
  const { stream, noise } = streamMessages(program, () => listener().room())
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
  /** For people. */
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

/** Undefined: it speaks another version, or none. */
export function abilitiesOf(result: unknown): AgentAbilities | undefined {
  const parsed = initialized.safeParse(result)
  if (!parsed.success || parsed.data.protocolVersion !== PROTOCOL_VERSION) return undefined
  const { agentCapabilities: can, authMethods } = parsed.data
  const resumes = can?.sessionCapabilities?.resume
  const continues =
    resumes !== undefined && resumes !== null ? 'resume' : can?.loadSession === true ? 'load' : undefined
  return { continues, logins: (authMethods ?? []).map(({ name }) => name) }
}
