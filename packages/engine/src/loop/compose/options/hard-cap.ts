import { z } from 'zod'
import { UsageError, assertShape } from '../../../base/index.ts'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import {
  type Bound,
  type Budget,
  type Caps,
  type capTable,
  everyAmount,
  everyCap,
  isWhole,
} from '@donecheck/core/internal/budgets'

/** Hard limits of a run, never exceeded. Null disables one; absent means the default. */
export type HardCap = { readonly [Name in keyof typeof capTable]?: number | null } & {
  /** By tool name, such as `{ web_search: 50 }`; further calls are refused. Default: none. */
  readonly callsPerTool?: Readonly<Record<string, number>>
}

/** Added to the caps of a resumed run, such as `{ iterations: 10, tokens: 50_000 }`. */
export type TopUp = Partial<Budget>

const maxTools = 50

function positive(mustBeWhole: boolean, or = '') {
  const message = `must be a positive ${mustBeWhole ? 'whole number' : 'number'}${or}`
  const number = z.number(message).positive(message)
  return mustBeWhole ? number.int(message) : number
}

const callsPerTool = z
  .record(z.string(), positive(true))
  .refine((counts) => Object.keys(counts).length <= maxTools, {
    error: `must name at most ${maxTools} tools`,
  })

const topUpSchema = z
  .strictObject({ ...everyAmount((amount) => positive(isWhole(amount))), callsPerTool })
  .partial()

const nullableCap = (bound: Bound) => positive(isWhole(bound), ' or null').nullable()
const hardCapSchema = z
  .strictObject({ ...everyAmount(nullableCap), blockedStops: nullableCap('blockedStops'), callsPerTool })
  .partial()

type DefaultsAgent = Pick<AgentDescription, 'ownsTools' | 'contextWindowTokens'>

const defaultWindows = 10
const fewestDefaultTokens = 100_000

export function capsOf(hardCap: HardCap, agent?: DefaultsAgent): Caps {
  assertShape(z.object({ hardCap: hardCapSchema }), { hardCap }, 'loop')
  const defaults = defaultsOf(agent)
  return {
    ...everyCap('field', (bound) => {
      const given = hardCap[bound]
      return given === undefined ? (defaults[bound] ?? null) : given
    }),
    maxCallsPerTool: hardCap.callsPerTool ?? {},
  }
}

/** An agent resends its context with every step: no token cap would fit most tasks. */
function defaultsOf(agent: DefaultsAgent | undefined): Partial<Record<Bound, number>> {
  if (agent?.ownsTools === true) return { iterations: 90, wallClockMs: 3_600_000 }
  const tokens = Math.max(fewestDefaultTokens, defaultWindows * (agent?.contextWindowTokens ?? 0))
  return { iterations: 90, tokens, wallClockMs: 600_000 }
}

export function assertTopUp(topUp: TopUp): void {
  assertShape(z.object({ topUp: topUpSchema }), { topUp }, 'resume')
}

export function assertCostIsKnown(caps: Caps, agent: AgentDescription): void {
  if (caps.maxCostUsd !== null && agent.prices === null && agent.reportsCost !== true)
    throw new UsageError(
      `a cost cap of $${caps.maxCostUsd} cannot be kept: the price of ${agent.name} is unknown; add it to the prices, or leave the cost cap out`,
    )
}
