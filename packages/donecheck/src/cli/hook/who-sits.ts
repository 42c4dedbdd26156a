import { isUnattended, type HostEvent } from '../../agents/index.ts'
import type { ProcessView } from '../../process/index.ts'
import { firstLineOf } from './first-line.ts'
import type { HookRequest } from './request.ts'

/** An event, and the request it came with. */
export interface Seen {
  readonly event: HostEvent
  readonly request: HookRequest
}

/**
 * What the agent does not say of it is looked up, at a claim only: nowhere else does anything hang on it. What the agent says
 * holds. Where nobody sits, nobody is asked: a question in the last words is a claim like any other. Where somebody sits, a goal
 * that is called complete is still no mere answer.
 */
export function whoSits(event: HostEvent, request: HookRequest, machine?: ProcessView): Seen {
  const { call, environment, record } = request
  const { ownProgram } = call.protocol
  if (!call.isClaim || request.unattended !== undefined || ownProgram === undefined) return { event, request }
  const firstLine = () => (record === undefined ? undefined : firstLineOf(record))
  const unattended = isUnattended(ownProgram, { environment, firstLine }, machine)
  if (unattended === false && call.isProposal) return { event, request }
  if (unattended !== true || event.kind !== 'stopping') return { event, request: { ...request, unattended } }
  const { asksUser, ...claim } = event
  return { event: asksUser === true ? claim : event, request: { ...request, unattended } }
}
