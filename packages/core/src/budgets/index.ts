import type { PricesUsd, TokenUsage } from '../usage/index.ts'

export type { Consumption, PricesUsd, TokenUsage } from '../usage/index.ts'

interface CapRow {
  readonly cap: string
  readonly field: string
  /** The key in a file. The flag, the variable and the top-up name derive from it. */
  readonly key: string
  /** Cost is in dollars. Time is in milliseconds, typed in seconds. The others are whole numbers. */
  readonly kind: 'turns' | 'model-calls' | 'tool-calls' | 'tokens' | 'cost' | 'time'
}

/** Keyed by the name in the programming interface. The order is that of the help. */
export const capTable = {
  /** Default 90, or 50 for a sub-run. Fewer cut honest work short; loop detection ends circles earlier. */
  iterations: { cap: 'iterations', field: 'maxIterations', key: 'maxTurns', kind: 'turns' },
  modelCalls: { cap: 'model_calls', field: 'maxModelCalls', key: 'maxModelCalls', kind: 'model-calls' },
  toolCalls: { cap: 'tool_calls', field: 'maxToolCalls', key: 'maxToolCalls', kind: 'tool-calls' },
  /**
   * Input plus output. Default: ten context windows, at least 100,000, because every turn resends the
   * conversation. Agents with their own tools have no default: they resend everything with every step.
   */
  tokens: { cap: 'tokens', field: 'maxTokens', key: 'maxTokens', kind: 'tokens' },
  /** The price of the model must be known. */
  costUsd: { cap: 'cost', field: 'maxCostUsd', key: 'maxCostUsd', kind: 'cost' },
  /**
   * Active time: sleep between stop and resume does not count. Default 10 min; one hour for agents with their
   * own tools, because one of their turns is a full loop.
   */
  wallClockMs: { cap: 'wall_clock', field: 'maxWallClockMs', key: 'maxSeconds', kind: 'time' },
  /** Consecutive blocked stops without a better score. Default: none. */
  blockedStops: { cap: 'blocked_stops', field: 'maxBlockedStops', key: 'maxBlockedStops', kind: 'turns' },
} as const satisfies Readonly<Record<string, CapRow>>

export type Bound = keyof typeof capTable
/** Amounts that can be allocated for a sub-run or topped up. */
export type Amount = Exclude<Bound, 'blockedStops'>

export type CapName = (typeof capTable)[Bound]['cap']
type CapField = (typeof capTable)[Bound]['field']

export const bounds = Object.keys(capTable) as readonly Bound[]
export const amounts = bounds.filter((bound) => bound !== 'blockedStops')
export const capNames = bounds.map((bound) => capTable[bound].cap)

/** Null switches a cap off. Every number is an upper bound that is never exceeded (I9). */
export interface Caps extends Readonly<Record<CapField, number | null>> {
  /** One call above the limit is refused and the run continues. */
  readonly maxCallsPerTool: Readonly<Record<string, number>>
}

export function isWhole(bound: Bound): boolean {
  const { kind } = capTable[bound]
  return kind !== 'cost' && kind !== 'time'
}

export function everyCap<Name extends 'field' | 'key', Value>(
  name: Name,
  valueOf: (bound: Bound) => Value,
): Readonly<Record<(typeof capTable)[Bound][Name], Value>> {
  return recordOf(bounds.map((bound) => [capTable[bound][name], valueOf(bound)]))
}

export function everyAmount<Value>(valueOf: (amount: Amount) => Value): Readonly<Record<Amount, Value>> {
  return recordOf(amounts.map((amount) => [amount, valueOf(amount)]))
}

function recordOf<Key extends string, Value>(entries: readonly (readonly [Key, Value])[]) {
  return Object.fromEntries(entries) as Readonly<Record<Key, Value>>
}

/** Such as `model-calls`, as typed after `--max-` and in a top-up. */
export function typedName(bound: Bound): string {
  return capTable[bound].key
    .slice('max'.length)
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Such as `turn` or `model call`. */
export function nounOf(amount: Amount): string {
  return capWords(capTable[amount].cap).slice(0, -1)
}

/** Such as `turns` or `wall clock`. */
export function capWords(cap: string): string {
  return cap === 'iterations' ? 'turns' : cap.replaceAll('_', ' ')
}

export interface Budget extends Readonly<Record<Amount, number>> {
  readonly callsPerTool: Readonly<Record<string, number>>
}

export function budgetOf(caps: Caps): Partial<Budget> {
  const bounds = amounts.flatMap((name) => {
    const bound = caps[capTable[name].field]
    return bound === null ? [] : [[name, bound] as const]
  })
  return { ...Object.fromEntries(bounds), callsPerTool: caps.maxCallsPerTool }
}

export function sumOfBudgets(one: Partial<Budget>, other: Partial<Budget>): Partial<Budget> {
  const sums = amounts.flatMap((name) =>
    one[name] === undefined && other[name] === undefined
      ? []
      : [[name, (one[name] ?? 0) + (other[name] ?? 0)] as const],
  )
  return {
    ...Object.fromEntries(sums),
    callsPerTool: sumOfCounts(one.callsPerTool ?? {}, other.callsPerTool ?? {}),
  }
}

/** Replaces the limits of all caps that are not switched off. */
export function withBounds(caps: Caps, boundOf: (amount: Amount, bound: number) => number): Caps {
  const bounds = amounts.flatMap((amount) => {
    const { field } = capTable[amount]
    const bound = caps[field]
    return bound === null ? [] : [[field, boundOf(amount, bound)] as const]
  })
  return { ...caps, ...Object.fromEntries(bounds) }
}

/** Adds to each cap; caps that are switched off stay off. */
export function raiseCaps(caps: Caps, added: Partial<Budget>): Caps {
  const capped = Object.entries(added.callsPerTool ?? {}).filter(([tool]) =>
    Object.hasOwn(caps.maxCallsPerTool, tool),
  )
  return {
    ...withBounds(caps, (amount, bound) => bound + (added[amount] ?? 0)),
    maxCallsPerTool: sumOfCounts(caps.maxCallsPerTool, Object.fromEntries(capped)),
  }
}

type Counts = Readonly<Record<string, number>>

export function sumOfCounts(one: Counts, other: Counts): Counts {
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      countOf(one, name) + countOf(other, name),
    ]),
  )
}

/** Own properties only, so a name such as `constructor` counts as 0. */
export function countOf(counts: Counts, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
}

/** Dollars at prices per million tokens; cached input has its own price, cache writes are not included. */
export function costOf(
  usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'>,
  prices: PricesUsd,
): number {
  const { inputPerMillionTokens, outputPerMillionTokens } = prices
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const micros =
    (usage.inputTokens - cached) * inputPerMillionTokens +
    cached * (prices.cachedInputPerMillionTokens ?? inputPerMillionTokens) +
    usage.outputTokens * outputPerMillionTokens
  return micros / 1_000_000
}

/** Estimates one token per 3.5 characters. Used only until a provider reports usage (see `evolve`). */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.5)
}
