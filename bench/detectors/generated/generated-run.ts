/** What a generator makes, and what is known about it because it was made. */
import type { Step } from '../detector.ts'

/** What is counted: calls; replies where the pattern is in the text alone. */
export type Unit = 'call' | 'reply'

export interface GeneratedRun {
  /** Class and seed. */
  readonly name: string
  readonly kind: 'loop' | 'benign'
  readonly steps: readonly Step[]
  readonly unit: Unit
  /** Units before the pattern: where a call is the unit, the `index` of the first call of the first lap. */
  readonly onset: number
  /** Units of one lap without what was put in between. Null: the pattern has no laps. */
  readonly period: number | null
  /** Units from the start of the run to the end of each lap, in order. Empty where there are no laps. */
  readonly lapEnds: readonly number[]
}

/**
 * What a detector can be held to. `laps`: call and outcome come back, so three repetitions are enough to know. `ever`: the
 * same steps, for a while, are honest work as well (waiting, a batch, a hard bug): only the length tells, and it has to
 * be ended within the run (120 calls or more).
 */
export type Demand = 'laps' | 'ever'

export interface LoopClass {
  readonly kind: 'loop'
  readonly name: string
  /** What makes it a loop. */
  readonly about: string
  readonly demand: Demand
  make(seed: number): GeneratedRun
}

export interface BenignClass {
  readonly kind: 'benign'
  readonly name: string
  /** What makes it honest work. */
  readonly about: string
  make(seed: number): GeneratedRun
}

export type GeneratedClass = LoopClass | BenignClass

/** Laps of every loop that has laps. */
export const lapsOfLoop = 12

/** Calls of a loop that has no laps. */
export const callsOfLoop = 120
