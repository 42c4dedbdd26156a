/**
 * Everything that can ever have happened in a run. Each event is a past fact, noun first.
 * Nothing here is derived: what can be computed from other events is computed by `evolve`.
 */
import { z } from 'zod'
import type { Recorded } from '../base/index.ts'
import { checkFacts, goalFacts } from './facts/check-facts.ts'
import { runFacts } from './facts/run-facts.ts'
import { turnFacts } from './facts/turn-facts.ts'

/** Milliseconds since the Unix epoch. */
export type EpochMs = number

/** Stamped by the recorder, never by the teller of the fact. */
export type EventHeader = Recorded<typeof eventHeader>
export const eventHeader = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  runId: z.string(),
  /** 1 for the first event of a run, without gaps. */
  sequence: z.number().int().positive(),
  timeMs: z.number(),
  /** How long the thing took that this event ends. */
  durationMs: z.number().exactOptional(),
})

export type Fact = Recorded<typeof anyFact>
export const anyFact = z.discriminatedUnion('type', [...runFacts, ...goalFacts, ...turnFacts, ...checkFacts])

export type FactType = Fact['type']

/** One kind of fact, such as `FactOf<'tool-called'>`. */
export type FactOf<Type extends FactType> = Extract<Fact, { readonly type: Type }>

export type RunEvent = EventHeader & Fact

/** A fact with what the teller knows of it: the recorder adds the rest. */
export type NewEvent = Fact & Pick<EventHeader, 'durationMs'>
