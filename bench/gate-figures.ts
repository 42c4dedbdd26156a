/** How gates, hooks and patches are measured: in turn, many times, so that a busy machine disturbs all alike. */

import { median } from './table.ts'

export interface BenchOptions {
  /** More repetitions. */
  readonly full: boolean
}

/** The value below which the share of all numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** By the name of what is measured. */
export type Subjects<Input> = Readonly<Record<string, (input: Input) => unknown>>

/**
 * Median microseconds of each subject on each input. A promise is waited for.
 * @returns by subject, in the order of the inputs
 */
export async function microsecondsOf<Input>(
  subjects: Subjects<Input>,
  inputs: readonly Input[],
  rounds: number,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const measured: Record<string, readonly number[]> = {}
  for (const [name, work] of Object.entries(subjects)) {
    const times = inputs.map((): number[] => [])
    // The first rounds are for the compiler.
    for (let round = -Math.ceil(rounds / 4); round < rounds; round += 1) {
      for (const [index, input] of inputs.entries()) {
        const startedMs = performance.now()
        const result = work(input)
        if (result instanceof Promise) await result
        const microseconds = (performance.now() - startedMs) * 1000
        if (round >= 0) times[index]?.push(microseconds)
      }
    }
    measured[name] = times.map((one) => median(one))
  }
  return measured
}
