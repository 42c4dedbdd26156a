/** Time per call of every detector over the same recorded steps, in one run and in turns: so that a busy machine meets all alike. */
import type { Detector, Step } from '../detector.ts'
import { medianOf } from '@donecheck/engine/backtest'

export interface CallCost {
  /** Microseconds of processor time (all threads, garbage collection too) per call, with only the calls shown. */
  readonly perCallMicros: number
  /** The same per step, with replies and messages shown as well. */
  readonly perStepMicros: number
}

const passes = 9
const atLeastMicros = 10_000

export function measureCallCosts(
  detectors: readonly Detector[],
  runs: readonly (readonly Step[])[],
): ReadonlyMap<string, CallCost> {
  const onlyCalls = runs.map((steps) => steps.filter(({ kind }) => kind === 'call'))
  const perCall = mediansOf(detectors, onlyCalls)
  const perStep = mediansOf(detectors, runs)
  return new Map(
    detectors.map(({ name }) => [
      name,
      { perCallMicros: perCall.get(name) ?? Number.NaN, perStepMicros: perStep.get(name) ?? Number.NaN },
    ]),
  )
}

function mediansOf(detectors: readonly Detector[], runs: readonly (readonly Step[])[]): Map<string, number> {
  const times = new Map<string, number[]>(detectors.map(({ name }) => [name, []]))
  for (const detector of detectors) pass(detector, runs)
  for (let round = 0; round < passes; round += 1) {
    for (const detector of detectors) times.get(detector.name)?.push(pass(detector, runs))
  }
  return new Map([...times].map(([name, micros]) => [name, medianOf(micros) ?? Number.NaN]))
}

/** Over all runs, as often as it takes to be measurable. Microseconds per step. */
function pass(detector: Detector, runs: readonly (readonly Step[])[]): number {
  const steps = runs.reduce((total, run) => total + run.length, 0)
  if (steps === 0) return Number.NaN
  let rounds = 0
  let micros = 0
  while (micros < atLeastMicros) {
    micros += watchAll(detector, runs)
    rounds += 1
  }
  return micros / (rounds * steps)
}

/**
 * Every run until its end, also past a stop: every detector gets the same work. Watches are begun before the clock: most of
 * the recorded runs are short, and what is asked for is the cost of a call.
 */
function watchAll(detector: Detector, runs: readonly (readonly Step[])[]): number {
  const watched = runs.map((steps) => ({ steps, watch: detector.begin() }))
  for (const steps of runs) for (const step of steps) detector.digest?.(step)
  const before = process.cpuUsage()
  for (const { steps, watch } of watched) {
    for (const step of steps) watch.observe(step)
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
