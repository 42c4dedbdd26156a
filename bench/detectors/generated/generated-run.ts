/** What every detector of the comparison sees and says: ours, OpenClaw's as it is described, and the real one. */
import type { Watcher } from '@donecheck/engine/internal/insight/backtest'
import type { Step } from '@donecheck/engine/internal/insight/recordings'

export type { Alarm, Watch } from '@donecheck/engine/internal/insight/backtest'
export type { CallStep, MessageStep, ReplyStep, Step } from '@donecheck/engine/internal/insight/recordings'

export interface Detector extends Watcher {
  /** Reads a step as it would be read when it is recorded, so that only comparing is left to `observe`. */
  readonly digest?: (step: Step) => void
}

/** What is counted: calls; replies where the pattern is in the text alone. */
export type Unit = 'call' | 'reply'

export interface GeneratedRun {
  /** Class and seed. */
  readonly name: string
  readonly kind: 'loop' | 'benign'
  readonly steps: readonly Step[]
  readonly unit: Unit
  /** Units before the pattern: where a call is the unit, the `index` of the first call of the first round. */
  readonly onset: number
  /** Units of one round without what was put in between. Null: the pattern has no rounds. */
  readonly period: number | null
  /** Units from the start of the run to the end of each round, in order. Empty where there are no rounds. */
  readonly roundEnds: readonly number[]
}

/**
 * What a detector can be held to. `rounds`: call and outcome come back, so three repetitions are enough to know. `ever`: the
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

/** Rounds of every loop that has rounds. */
export const roundsOfLoop = 12

/** Calls of a loop that has no rounds. */
export const callsOfLoop = 120
