/** The flags of the caps, from the table of the caps. */
import { bounds, capTable, isWhole, typedName, type Bound, type CapName } from '@donecheck/core/budgets'
import { positiveOrOff, positiveWholeOrOff } from './flag-values.ts'
import type { OptionRow } from './option.ts'

export interface CapTexts {
  readonly help: string
  /** Where hooks stand behind the cap, and not a run. */
  readonly helpOfHooks?: string
  /** One sentence, for a run that ended with `hard_cap` and this cap. */
  readonly meaning: string
}

/** The compiler asks for a new one. */
export const capTexts: Readonly<Record<CapName, CapTexts>> = {
  iterations: { help: 'turns (default 90; or off)', meaning: 'No further turn was allowed.' },
  model_calls: {
    help: 'retries count, calls that the provider refused do not',
    meaning:
      'No further call of the model was allowed; retries count, calls that the provider refused do not.',
  },
  tool_calls: { help: 'over the whole run', meaning: 'No further tool call was allowed.' },
  tokens: {
    help: 'input and output together (default: ten context windows, 100000 at least)',
    helpOfHooks: 'input and output together (which hooks are not told)',
    meaning: 'The next model call would not have fitted into the tokens left.',
  },
  cost: {
    help: 'at known prices',
    meaning: 'The next model call might have cost more than was left.',
  },
  wall_clock: {
    help: 'active time (default 600; 3600 for an agent with tools of its own)',
    helpOfHooks: 'active time (default off)',
    meaning: 'The time for the run was up.',
  },
  blocked_stops: {
    help: 'times in a row that its stop is blocked without a better score than ever (default off)',
    helpOfHooks: 'times in a row that its stop is blocked without a better score than ever (default 5)',
    meaning:
      'The stops of the drive were blocked so often, and its checks came to no better score than before.',
  },
}

/** @param whose a session of an agent with hooks lasts as long as its user likes */
export function capOptions(whose: 'help' | 'helpOfHooks'): readonly OptionRow[] {
  return bounds.flatMap((bound): readonly OptionRow[] => {
    if (bound === 'modelCalls') return []
    const { help, [whose]: own = help } = capTexts[capTable[bound].cap]
    const read = isWhole(bound) ? positiveWholeOrOff : positiveOrOff
    const short = bound === 'iterations' ? '-n, ' : ''
    return [[`${short}--max-${typedName(bound)} <${unitOf(bound)}>`, own, read, capTable[bound].key]]
  })
}

function unitOf(bound: Bound): string {
  const { kind } = capTable[bound]
  return kind === 'time' ? 'seconds' : kind === 'cost' ? 'dollars' : 'count'
}
