/** Every class, and the seeds of its two halves. */
import type { BenignClass, LoopClass, GeneratedClass } from './generated-run.ts'
import { batches } from './batches.ts'
import { editsAndTests } from './edits.ts'
import { repeatedWork, waits } from './waiting.ts'
import { talks } from './talk.ts'
import { builtCycles, cycleLoops } from './cycles.ts'
import { churnLoops, fruitlessEdits } from './churn.ts'
import { endlessPolls, repeatedTexts, sameErrors } from './errors.ts'

/** Every pattern that must be left alone. */
const benignClasses: readonly BenignClass[] = [
  ...waits,
  ...editsAndTests,
  ...batches,
  ...repeatedWork,
  ...talks,
]

/** Every pattern that ought to be ended. */
export const loopClasses: readonly LoopClass[] = [
  ...cycleLoops,
  ...builtCycles,
  ...endlessPolls,
  ...sameErrors,
  ...churnLoops,
  ...fruitlessEdits,
  ...repeatedTexts,
]

export const generatedClasses: readonly GeneratedClass[] = [...loopClasses, ...benignClasses]

/** `tune`: to choose rules and numbers by. `report`: looked at for the last measurement only. */
export type Half = 'tune' | 'report' | 'all'

/** Even seeds are for tuning, odd ones for the report. */
export function seedsOf(half: Half, variants: number): readonly number[] {
  const seeds = Array.from({ length: 2 * variants }, (_, seed) => seed)
  return half === 'all' ? seeds : seeds.filter((seed) => (seed % 2 === 0) === (half === 'tune'))
}
