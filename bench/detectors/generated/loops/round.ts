/** Rounds on the way to becoming a run: where they begin and end is noted down while they are written. */
import type { GeneratedRun, LoopClass, Unit } from '../generated-run.ts'
import { scriptFrom, type Script } from '../script.ts'
import { workBefore } from '../world/ordinary-work.ts'

export interface RoundPlan {
  /** Units of one round. Null: rounds are not all of one length. */
  readonly period: number | null
  readonly rounds: number
  /** Writes the round of this number, from 0. */
  readonly round: (number: number) => void
}

export interface LoopSpec extends Omit<LoopClass, 'kind' | 'make'> {
  readonly unit?: Unit
  /** Decides what this run repeats. Called after the honest work before it. */
  readonly plan: (script: Script) => RoundPlan
}

export function loopClass({ unit = 'call', plan, ...named }: LoopSpec): LoopClass {
  const make = (seed: number): GeneratedRun => {
    const name = `${named.name} #${seed}`
    const script = scriptFrom(name)
    const units = () => (unit === 'call' ? script.calls : script.replies)
    workBefore(script)
    const { period, rounds, round } = plan(script)
    const onset = units()
    const roundEnds = Array.from({ length: rounds }, (_, number) => {
      round(number)
      return units()
    })
    return { name, kind: 'loop', steps: script.steps, unit, onset, period, roundEnds }
  }
  return { kind: 'loop', ...named, make }
}
