/** unknown → event, once, at the door of the store (the only place where stored data is trusted less than code). */
import { z } from 'zod'
import { anyFact, eventHeader, type Fact, type RunEvent } from '../event.ts'
import { currentSchemaVersion } from '../facts/groups.ts'

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'invalid'; readonly problem: string }

/** Checks every field. Unknown fields of a known event are dropped. */
export function parseEvent(stored: unknown): ParsedEvent {
  try {
    const version = versionOf(stored)
    if (version > currentSchemaVersion)
      return {
        kind: 'invalid',
        problem: `event of schema version ${version}; this donecheck reads up to ${currentSchemaVersion}: update donecheck`,
      }
    const known = anyFact.safeParse(stored)
    if (!known.success) return { kind: 'invalid', problem: problemIn(known.error) }
    const header = eventHeader.safeParse(stored)
    if (!header.success) return { kind: 'invalid', problem: problemIn(header.error) }
    const fact: Fact = known.data
    return { kind: 'event', event: { ...header.data, ...fact } }
  } catch (error) {
    return { kind: 'invalid', problem: whyUnreadable(error) }
  }
}

function versionOf(stored: unknown): number {
  const { schemaVersion } = z.looseObject({ schemaVersion: z.number() }).safeParse(stored).data ?? {}
  return schemaVersion ?? currentSchemaVersion
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
const knownHeader = eventHeader.pick({ durationMs: true })

function problemIn(error: Pick<z.ZodError, 'issues'>): string {
  const [first] = error.issues
  const place = first?.path.join('.') ?? ''
  return `${place === '' ? 'event' : place}: ${first?.message ?? 'not an event'}`
}

/** Nested too deeply for the stack, or made so that looking at it throws. */
function whyUnreadable(error: unknown): string {
  return `event: ${error instanceof RangeError ? 'nested too deeply' : 'cannot be looked at'}`
}
