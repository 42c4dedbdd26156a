/** More budget for a run that goes on: what may be added, and when that is enough. */
import { hardCaps, liftsCap } from '@donecheck/core/caps'
import { UsageError } from '../../../base/index.ts'
import { amounts, capTable, typedName, type Budget, type CapName } from '@donecheck/core/budgets'
import type { RunState } from '@donecheck/core/state'

export interface TopUpRequest {
  readonly by: string
  readonly added: Partial<Budget>
}

/** @throws {UsageError} for more of what is not bounded at all */
export function assertBounded(state: RunState, added: Partial<Budget>): void {
  const { caps } = state.settings
  const unbounded = amounts.find((name) => added[name] !== undefined && caps[capTable[name].field] === null)
  const tool = Object.keys(added.callsPerTool ?? {}).find(
    (name) => !Object.hasOwn(caps.maxCallsPerTool, name),
  )
  if (unbounded === undefined && tool === undefined) return
  const what = unbounded === undefined ? `calls of ${tool}` : typedName(unbounded)
  throw new UsageError(`run ${state.runId} has no cap on ${what}: leave it out of the top-up`)
}

/** @throws {UsageError} naming what is to be added so that a run that ended at this cap can go on */
export function assertLifted(state: RunState, cap: CapName, added: Partial<Budget> | undefined): void {
  if (cap === 'blocked_stops')
    throw new UsageError(
      `run ${state.runId} is finished: its stop was blocked without a better score as often as it may be; start a new run`,
    )
  if (added !== undefined && liftsCap(state, cap, added, hardCaps)) return
  const amount = amounts.find((name) => capTable[name].cap === cap)
  const name = amount === undefined ? cap : typedName(amount)
  const more = amount !== undefined && added?.[amount] !== undefined ? 'more than that' : 'more'
  throw new UsageError(
    `run ${state.runId} ended at its cap on ${name} and needs ${more} of it to go on: --top-up ${name}=<amount> (in a program topUp: { ${amount ?? cap}: … })`,
  )
}
