import type { LoopClass } from '../generated-run.ts'
import { builtCycles } from './built-cycles.ts'
import { churnLoops } from './churn.ts'
import { cycleLoops } from './cycles.ts'
import { endlessPolls } from './endless-polls.ts'
import { fruitlessEdits } from './fruitless-edits.ts'
import { repeatedTexts } from './repeated-texts.ts'
import { sameErrors } from './same-errors.ts'

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
