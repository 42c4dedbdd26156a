import type { RunState } from '../../state/index.ts'
import type { StopTransition } from '../../events/transitions/index.ts'
import { amounts, capTable, typedName, type Amount } from '../../budgets/index.ts'

/** What a person may do after an early end, as it is typed. */
export function howToGoOn(state: RunState, end: StopTransition): string {
  const topUp = topUpOf(state, end)
  if (topUp === undefined)
    return 'start a new run that says what was tried and what to try instead; the work is as this run left it.'
  if (state.parent !== undefined) return 'give the run that it is a part of more, or let it delegate less.'
  return `donecheck resume ${state.runId} --top-up ${topUp}`
}

/** Such as `turns=45`: what lets a run go on that ended at a cap. Undefined: more of something would not help. */
export function topUpOf(state: RunState, { reason, cap }: StopTransition): string | undefined {
  const amount = amounts.find((name) => capTable[name].cap === cap)
  const limit = amount === undefined ? null : state.settings.caps[capTable[amount].field]
  if (reason !== 'hard_cap' || amount === undefined || limit === null) return undefined
  return `${typedName(amount)}=${half(amount, limit)}`
}

/** Half as much again; times in seconds, as they are typed. */
function half(amount: Amount, limit: number): number {
  if (capTable[amount].kind === 'cost') return Number((limit / 2).toPrecision(2))
  return Math.max(1, Math.ceil(limit / (capTable[amount].kind === 'time' ? 2000 : 2)))
}
