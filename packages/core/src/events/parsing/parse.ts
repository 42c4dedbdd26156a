/** unknown → event, once, at the entrance of the store: stored data is trusted less than code. */
import { z } from 'zod'
import { anyFact, eventHeader, type Fact, type RunEvent } from '../event.ts'
import { currentSchemaVersion } from '../facts/groups.ts'

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'invalid'; readonly problem: string }

/** Checks every field. Drops unknown fields of a known event. */
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

/** Returns why a fact cannot be recorded, because ports may break their types; undefined if it can. */
export function problemOfFact(reported: object): string | undefined {
  try {
    const error = anyFact.safeParse(reported).error ?? knownHeader.safeParse(reported).error
    return error === undefined ? undefined : problemIn(error)
  } catch (error) {
    return whyUnreadable(error)
  }
}

/** The header fields that the author of a fact may set. */
const knownHeader = eventHeader.pick({ durationMs: true })

function problemIn(error: Pick<z.ZodError, 'issues'>): string {
  const [first] = error.issues
  const place = first?.path.join('.') ?? ''
  return `${place === '' ? 'event' : place}: ${first?.message ?? 'not an event'}`
}

/** It is nested too deeply for the stack, or throws when read. */
function whyUnreadable(error: unknown): string {
  return `event: ${error instanceof RangeError ? 'nested too deeply' : 'cannot be looked at'}`
}
