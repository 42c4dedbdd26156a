/** A past fact, noun first. Nothing here is derived: `evolve` computes what follows from other events. */
import { z } from 'zod'
import type { Recorded } from '../base/index.ts'
import { checkFacts, goalFacts } from './facts/check-facts.ts'
import { runFacts } from './facts/run-facts.ts'
import { turnFacts } from './facts/turn-facts.ts'

export type EpochMs = number

/** Added by the recorder, not by the author of the fact. */
export type EventHeader = Recorded<typeof eventHeader>
export const eventHeader = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  runId: z.string(),
  /** 1 for the first event of a run, without gaps. */
  sequence: z.number().int().positive(),
  timeMs: z.number(),
  durationMs: z.number().exactOptional(),
})

export type Fact = Recorded<typeof anyFact>
export const anyFact = z.discriminatedUnion('type', [...runFacts, ...goalFacts, ...turnFacts, ...checkFacts])

export type FactType = Fact['type']

/** One kind of fact, such as `FactOf<'tool-called'>`. */
export type FactOf<Type extends FactType> = Extract<Fact, { readonly type: Type }>

export type RunEvent = EventHeader & Fact

/** A fact before the recorder adds the rest of the header. */
export type NewEvent = Fact & Pick<EventHeader, 'durationMs'>
