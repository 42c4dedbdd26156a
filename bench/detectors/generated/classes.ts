/** Every class, and the seeds of its two halves. */
import { benignClasses } from './benign/index.ts'
import type { GeneratedClass } from './generated-run.ts'
import { loopClasses } from './loops/index.ts'

export const generatedClasses: readonly GeneratedClass[] = [...loopClasses, ...benignClasses]

/** `tune`: to choose rules and numbers by. `report`: looked at for the last measurement only. */
export type Half = 'tune' | 'report' | 'all'

/** Even seeds are for tuning, odd ones for the report. */
export function seedsOf(half: Half, variants: number): readonly number[] {
  const seeds = Array.from({ length: 2 * variants }, (_, seed) => seed)
  return half === 'all' ? seeds : seeds.filter((seed) => (seed % 2 === 0) === (half === 'tune'))
}
