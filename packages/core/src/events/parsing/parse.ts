/** unknown → event, once, at the door of the store (the only place where stored data is trusted less than code). */
import type { z } from 'zod'
import { anyFact, eventHeader, type Fact, type RunEvent } from '../event.ts'
import { upcast } from './upcast.ts'

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'invalid'; readonly problem: string }

/** Lifts an old event, then checks every field. Unknown fields of a known event are dropped. */
export function parseEvent(stored: unknown): ParsedEvent {
  const lifted = upcast(stored)
  if (lifted.kind === 'too-new') return { kind: 'invalid', problem: lifted.problem }
  try {
    const known = anyFact.safeParse(lifted.stored)
    if (!known.success) return { kind: 'invalid', problem: problemIn(known.error) }
    const header = eventHeader.safeParse(lifted.stored)
    if (!header.success) return { kind: 'invalid', problem: problemIn(header.error) }
    const fact: Fact = known.data
    return { kind: 'event', event: { ...header.data, ...fact } }
  } catch (error) {
    return { kind: 'invalid', problem: whyUnreadable(error) }
  }
}

/**
 * What is wrong with a fact that somebody tells, before it is recorded: what a port answers is not trusted to have the
 * shape that it promises. Undefined: it can be written and read again.
 */
export function problemOfFact(reported: object): string | undefined {
  try {
    const error = anyFact.safeParse(reported).error ?? knownHeader.safeParse(reported).error
    return error === undefined ? undefined : problemIn(error)
  } catch (error) {
    return whyUnreadable(error)
  }
}

/** What the teller of a fact may know of its header. */
const knownHeader = eventHeader.pick({ causeId: true, durationMs: true })

function problemIn(error: Pick<z.ZodError, 'issues'>): string {
  const [first] = error.issues
  const place = first?.path.join('.') ?? ''
  return `${place === '' ? 'event' : place}: ${first?.message ?? 'not an event'}`
}

/** Nested too deeply for the stack, or made so that looking at it throws. */
function whyUnreadable(error: unknown): string {
  return `event: ${error instanceof RangeError ? 'nested too deeply' : 'cannot be looked at'}`
}
