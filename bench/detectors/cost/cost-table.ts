/** Time and memory of every detector. */
import type { Detector, Step } from '../detector.ts'
import { fixed, markdownTable } from '../measure/markdown.ts'
import { lengths, measureFlatness, measureInLoop, measureWhole } from './flatness.ts'
import { measureMemory, memoryLengths } from './memory.ts'
import { measureCallCosts, type CallCost } from './per-call.ts'

export interface DetectorCost extends CallCost {
  /** Microseconds per call at each of `lengths`; undefined: given up. */
  readonly atLengths: readonly (number | undefined)[]
  /** The same of the whole path, with replies, and what is read of both on the clock. */
  readonly wholeAtLengths: readonly (number | undefined)[]
  /** Microseconds per call of an endless loop. */
  readonly inLoop: number
  /** Bytes of a watch after each of `memoryLengths`. */
  readonly bytes: readonly number[]
}

export type Costs = ReadonlyMap<string, DetectorCost>

/** `onProgress` is told what is measured now: it takes seconds for each detector. */
export function measureCosts(
  detectors: readonly Detector[],
  runs: readonly (readonly Step[])[],
  onProgress: (now: string) => void,
): Costs {
  onProgress('time per recorded call')
  const perCall = measureCallCosts(detectors, runs)
  const costs = new Map<string, DetectorCost>()
  for (const detector of detectors) {
    const call = perCall.get(detector.name)
    if (call === undefined) continue
    onProgress(`${detector.name} over long runs`)
    costs.set(detector.name, {
      ...call,
      atLengths: measureFlatness(detector),
      wholeAtLengths: measureWhole(detector),
      inLoop: measureInLoop(detector),
      bytes: measureMemory(detector),
    })
  }
  return costs
}

export function costTable(detectors: readonly Detector[], costs: Costs): string {
  const rows = detectors.map(({ name, readsResults }) => {
    const cost = costs.get(name)
    const late = lengths.map((_, position) => fixed(cost?.atLengths[position], 2))
    const whole = lengths.map((_, position) => fixed(cost?.wholeAtLengths[position], 2))
    const bytes = memoryLengths.map((_, position) => cost?.bytes[position])
    const own = [fixed(cost?.perCallMicros, 2), fixed(cost?.perStepMicros, 2)]
    return [name, readsResults ? 'yes' : 'no', ...own, ...late, ...whole, fixed(cost?.inLoop, 2), ...bytes]
  })
  return markdownTable(
    [
      'detector',
      'reads results',
      'µs per call',
      'µs per step',
      ...lengths.map((length) => `µs at ${powerOf(length)} calls`),
      ...lengths.map((length) => `with replies and digests at ${powerOf(length)}`),
      'µs in a loop',
      ...memoryLengths.map((length) => `bytes after ${powerOf(length)}`),
    ],
    rows,
  )
}

function powerOf(number: number): string {
  return `10^${Math.log10(number).toFixed(0)}`
}
