import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { isUnattended } from '@donecheck/agents/hooks'
import type { HostEvent } from '@donecheck/agents/host'
import type { ProcessView } from '@donecheck/engine/process'
import type { HookRequest } from '../input/request.ts'

/** An event, and the request it came with. */
interface Seen {
  readonly event: HostEvent
  readonly request: HookRequest
}

/**
 * What the agent does not say of it is looked up, at a claim only: nowhere else does anything hang on it. What the agent says
 * holds. Unattended, nobody is asked: a question in the last words is a claim like any other. Attended, a goal
 * that is called complete is still no mere answer.
 */
export function isAttended(event: HostEvent, request: HookRequest, machine?: ProcessView): Seen {
  const { call, environment, record } = request
  const { ownProgram } = call.protocol
  if (!call.isClaim || request.unattended !== undefined || ownProgram === undefined) return { event, request }
  const firstLine = () => (record === undefined ? undefined : readFirstLine(record))
  const unattended = isUnattended(ownProgram, { environment, firstLine }, machine)
  if (unattended === false && call.isProposal) return { event, request }
  if (unattended !== true || event.kind !== 'stopping') return { event, request: { ...request, unattended } }
  const { asksUser, ...claim } = event
  return { event: asksUser === true ? claim : event, request: { ...request, unattended } }
}

const maxBytes = 1024 * 1024

/** Of a file that need not be ours. Undefined: none that can be read, or that ends in time; whatever is no file is not waited for. */
export function readFirstLine(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) return undefined
    const bytes = Buffer.alloc(maxBytes)
    const text = bytes.subarray(0, readSync(descriptor, bytes, 0, maxBytes, 0))
    const end = text.indexOf(0x0a)
    return end === -1 ? undefined : text.toString('utf8', 0, end)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
