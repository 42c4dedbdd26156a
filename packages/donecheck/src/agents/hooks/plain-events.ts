/** What the payloads of agents have in common that are not shaped as those of Claude Code. */
import type { HostCall, HostEvent, HostResult } from '../host-event.ts'
import type { HostReading } from '../hook-protocol.ts'
import { openPayload, unreadable } from './opening.ts'
import { textIn, type Payload } from './payload.ts'
import { isSentBack } from './replies.ts'

export interface PlainDialect {
  /** Fields that may name the session, the usual one first. */
  readonly sessionNames: readonly string[]
  /** A text says what is missing. */
  readonly eventOf: (event: string, fields: Payload) => HostEvent | string
  /** Where it works. Undefined: it does not say. */
  readonly folderOf: (fields: Payload) => string | undefined
  /** Nobody sits before it. Absent: it never says. */
  readonly isUnattended?: (fields: Payload) => boolean
}

/** @param projectFolder where the payload names none */
export function readPlain(
  { sessionNames, eventOf, folderOf, isUnattended = () => false }: PlainDialect,
  event: string,
  payload: unknown,
  projectFolder?: string,
): HostReading {
  const opened = openPayload(event, payload, ...sessionNames)
  if (opened.kind === 'unreadable') return opened
  const { fields, sessionId } = opened
  const read = eventOf(event, fields)
  if (typeof read === 'string') return unreadable(read)
  const folder = folderOf(fields) ?? projectFolder
  return {
    kind: 'read',
    sessionId,
    event: read,
    ...(folder === undefined ? {} : { folder }),
    ...(isUnattended(fields) ? { unattended: true } : {}),
  }
}

/** What the user asks for. What we have sent back comes as a prompt too, and is none. */
export function promptIn(fields: Payload): HostEvent | string {
  const prompt = textIn(fields, 'prompt')
  if (prompt === undefined) return 'the agent sent no "prompt"'
  return isSentBack(prompt) ? { kind: 'irrelevant' } : { kind: 'prompted', prompt }
}

/**
 * A call that is about to run, or has.
 * @param call undefined: it has no name
 * @param nameField in which its name should stand
 * @param resultOf what became of it; absent: it is about to run
 */
export function callEvent(
  call: HostCall | undefined,
  nameField: string,
  resultOf?: () => HostResult,
): HostEvent | string {
  if (call === undefined) return `the agent sent no "${nameField}"`
  if (resultOf === undefined) return { kind: 'tool-proposed', call }
  return { kind: 'tool-finished', call, result: resultOf() }
}
