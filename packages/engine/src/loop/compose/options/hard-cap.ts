import { UsageError, assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Budget } from '@donecheck/core/budgets'
import type { DriveDescription } from '@donecheck/core/settings'
import {
  amounts,
  bounds,
  type capTable,
  everyAmount,
  everyCap,
  isWhole,
  type Bound,
  type Caps,
} from '@donecheck/core/budgets'

/** Upper bounds of a run; each is never exceeded. Null switches one off; absent means the default. */
export type HardCap = { readonly [Name in keyof typeof capTable]?: number | null } & {
  /** By name of a tool, such as `{ web_search: 50 }`: one call more is refused, and the run goes on. Default: none. */
  readonly callsPerTool?: Readonly<Record<string, number>>
}

/** What a resumed run gets on top of the caps that it was started with, such as `{ iterations: 10, tokens: 50_000 }`. */
export type TopUp = Partial<Budget>

const topUpKeys: OptionKeys<TopUp> = { ...everyAmount(() => true), callsPerTool: true }
const capKeys: OptionKeys<HardCap> = { ...topUpKeys, blockedStops: true }

/** So that a state stays small, and what was said of each tool is remembered. */
const maxTools = 50

/** What the defaults depend on. */
type DefaultsDrive = Pick<DriveDescription, 'ownsTools' | 'contextWindowTokens'>

const defaultWindows = 10
const fewestDefaultTokens = 100_000

/** @throws {UsageError} naming the bound that is not a positive number, or that there is not */
export function capsOf(hardCap: HardCap, drive?: DefaultsDrive): Caps {
  assertKnownKeys(hardCap, capKeys, 'hardCap')
  for (const bound of bounds)
    if (hardCap[bound] !== null) assertBound(`hardCap.${bound}`, hardCap[bound], ' or null', isWhole(bound))
  assertCounts('hardCap', hardCap.callsPerTool)
  const defaults = defaultsOf(drive)
  return {
    ...everyCap('field', (bound) => {
      const given = hardCap[bound]
      return given === undefined ? (defaults[bound] ?? null) : given
    }),
    maxCallsPerTool: hardCap.callsPerTool ?? {},
  }
}

/** An agent sends all that it knows with every step: no number of tokens would fit most tasks. */
function defaultsOf(drive: DefaultsDrive | undefined): Partial<Record<Bound, number>> {
  if (drive?.ownsTools === true) return { iterations: 90, wallClockMs: 3_600_000 }
  const tokens = Math.max(fewestDefaultTokens, defaultWindows * (drive?.contextWindowTokens ?? 0))
  return { iterations: 90, tokens, wallClockMs: 600_000 }
}

/** @throws {UsageError} naming the amount that is not a positive number */
export function assertTopUp(topUp: TopUp): void {
  assertKnownKeys(topUp, topUpKeys, 'topUp')
  for (const amount of amounts) assertBound(`topUp.${amount}`, topUp[amount], '', isWhole(amount))
  assertCounts('topUp', topUp.callsPerTool)
}

/** @throws {UsageError} where a cap on cost could not be kept */
export function assertCostIsKnown(caps: Caps, drive: DriveDescription): void {
  if (caps.maxCostUsd !== null && drive.prices === null && drive.reportsCost !== true)
    throw new UsageError(
      `a cost cap of $${caps.maxCostUsd} cannot be kept: the price of ${drive.name} is unknown; add it to the prices, or leave the cost cap out`,
    )
}

function assertCounts(place: string, counts: unknown): void {
  if (counts === undefined) return
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts))
    throw new UsageError(
      `${place}.callsPerTool must be an object such as { web_search: 50 }, not ${JSON.stringify(counts)}`,
    )
  const tools = Object.entries(counts)
  if (tools.length > maxTools)
    throw new UsageError(`${place}.callsPerTool names ${tools.length} tools; it can hold ${maxTools}`)
  for (const [tool, count] of tools) assertBound(`${place}.callsPerTool.${tool}`, count, '', true)
}

function assertBound(name: string, value: unknown, or: string, mustBeWhole: boolean): void {
  if (value === undefined) return
  const isPositive = typeof value === 'number' && value > 0 && Number.isFinite(value)
  if (isPositive && (!mustBeWhole || Number.isInteger(value))) return
  const shown = typeof value === 'number' ? value : JSON.stringify(value)
  throw new UsageError(
    `${name} must be a positive ${mustBeWhole ? 'whole number' : 'number'}${or}, not ${shown}`,
  )
}
