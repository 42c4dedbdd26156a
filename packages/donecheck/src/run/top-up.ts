/** More budget for a run that goes on: what may be added, and when that is enough. */
import { hardCaps, liftsCap, topUpNames } from '../core/index.ts'
import { UsageError } from '../errors.ts'
import { amounts, capOfAmount, type Budget, type CapName, type RunState } from '../events/index.ts'

export interface TopUpRequest {
  readonly by: string
  readonly added: Partial<Budget>
}

/** @throws {UsageError} for more of what is not bounded at all */
export function assertBounded(state: RunState, added: Partial<Budget>): void {
  const { caps } = state.settings
  const unbounded = amounts.find(
    (name) => added[name] !== undefined && caps[capOfAmount[name].field] === null,
  )
  const tool = Object.keys(added.callsPerTool ?? {}).find(
    (name) => !Object.hasOwn(caps.maxCallsPerTool, name),
  )
  if (unbounded === undefined && tool === undefined) return
  const what = unbounded === undefined ? `calls of ${tool}` : topUpNames[unbounded]
  throw new UsageError(`run ${state.runId} has no cap on ${what}: leave it out of the top-up`)
}

/** @throws {UsageError} naming what is to be added so that a run that ended at this cap can go on */
export function assertLifted(state: RunState, cap: CapName, added: Partial<Budget> | undefined): void {
  if (cap === 'send_backs')
    throw new UsageError(
      `run ${state.runId} is finished: it was sent back without a better score as often as it may be; start a new run`,
    )
  if (added !== undefined && liftsCap(state, cap, added, hardCaps)) return
  const amount = amounts.find((name) => capOfAmount[name].cap === cap)
  const name = amount === undefined ? cap : topUpNames[amount]
  const more = amount !== undefined && added?.[amount] !== undefined ? 'more than that' : 'more'
  throw new UsageError(
    `run ${state.runId} ended at its cap on ${name} and needs ${more} of it to go on: --top-up ${name}=<amount> (in a program topUp: { ${amount ?? cap}: … })`,
  )
}
