import type { HostReading } from '../hook-protocol.ts'
import { payloadOf, textIn, type Payload } from './payload.ts'

export interface OpenedPayload {
  readonly kind: 'opened'
  readonly fields: Payload
  readonly sessionId: string
}

type Unreadable = HostReading & { readonly kind: 'unreadable' }

/**
 * What every payload must have before anything is read from it.
 * @param event the agent's own name, for which this hook is registered; what the payload says of itself must agree
 */
export function openPayload(
  event: string,
  payload: unknown,
  ...idNames: readonly string[]
): OpenedPayload | Unreadable {
  const fields = payloadOf(payload)
  if (fields === undefined) return unreadable('the agent sent no object')
  const sessionId = textIn(fields, ...idNames)
  if (sessionId === undefined || sessionId === '')
    return unreadable(`the agent sent no "${idNames[0] ?? ''}"`)
  const named = textIn(fields, 'hook_event_name')
  if (named !== undefined && named !== event)
    return unreadable(`this hook is registered for ${event}, and was called for ${named}`)
  return { kind: 'opened', fields, sessionId }
}

export function unreadable(problem: string): Unreadable {
  return { kind: 'unreadable', problem }
}
