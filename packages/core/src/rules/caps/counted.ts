/** The caps on what is counted: the next step is reserved before it is made, so that a limit is never exceeded (I9). */
import type { RunState, Rule } from '../../state/index.ts'
import { capTable, nounOf, type Amount } from '../../budgets/index.ts'
import { reservationOf, spendingOf } from './amounts.ts'
import { capFinding, nextNeed } from './cap.ts'

export function countedCap(amount: Amount): Rule {
  const { cap, field } = capTable[amount]
  return (state) => {
    const limit = state.settings.caps[field]
    const used = spendingOf(state, amount)
    const left = (limit ?? Number.POSITIVE_INFINITY) - used
    const isReached = isNext(state, amount) && left < Math.max(1, reservationOf(state, amount))
    const noun = nounOf(amount)
    const reached = `${noun} limit reached (${used} of ${limit})`
    return capFinding(state, { cap, limit, used, isReached, text: `${used} of ${limit} ${noun}s`, reached })
  }
}

/** Whether the next step would use of it. A drive that cannot report its usage is not held by tokens; the run says so. */
function isNext(state: RunState, amount: Amount): boolean {
  const need = nextNeed(state)
  if (amount === 'iterations') return need === 'a turn'
  if (amount === 'toolCalls') return need !== 'nothing'
  const isCounted = capTable[amount].kind !== 'tokens' || state.drive.reportsUsage
  return isCounted && (need === 'a turn' || need === 'a model call')
}
