import type { BenignClass } from '../generated-run.ts'
import { batches } from './batches.ts'
import { editsAndTests } from './edit-and-test.ts'
import { repeatedWork } from './repeated-work.ts'
import { talks } from './talk.ts'
import { waits } from './waiting.ts'

/** Every pattern that must be left alone. */
export const benignClasses: readonly BenignClass[] = [
  ...waits,
  ...editsAndTests,
  ...batches,
  ...repeatedWork,
  ...talks,
]
