/** What may be spent, and in what it is counted: caps, tokens, dollars, time. */
import type { PricesUsd, TokenUsage } from '../usage/index.ts'

export type { Consumption, PricesUsd, TokenUsage } from '../usage/index.ts'

interface CapRow {
  /** As the reason of an end names it. */
  readonly cap: string
  /** In the settings of a run. */
  readonly field: string
  /** In a file; the flag, the variable and the name in a top-up follow from it. */
  readonly key: string
  /** Cost is in dollars, time in milliseconds and typed in seconds; the others are whole numbers. */
  readonly kind: 'turns' | 'model-calls' | 'tool-calls' | 'tokens' | 'cost' | 'time'
}

/** By the name of what is bounded, as a program gives it. The order is that of the help. */
export const capTable = {
  /**
   * Turns. Default 90, a sub-run 50, as agents that run unattended are known to have them: fewer cut honest work short, and what
   * goes round in circles is ended long before by loop detection.
   */
  iterations: { cap: 'iterations', field: 'maxIterations', key: 'maxTurns', kind: 'turns' },
  /** Default: none. */
  modelCalls: { cap: 'model_calls', field: 'maxModelCalls', key: 'maxModelCalls', kind: 'model-calls' },
  /** Default: none. */
  toolCalls: { cap: 'tool_calls', field: 'maxToolCalls', key: 'maxToolCalls', kind: 'tool-calls' },
  /**
   * Input and output together. Default: ten context windows of the model, 100,000 at least. Every turn sends the whole conversation
   * again, so a fixed number would end work on a real repository after a handful of turns; the run says at its start what its
   * budget means in turns. An agent that brings its own tools has none by default: it sends all that it knows with every step.
   */
  tokens: { cap: 'tokens', field: 'maxTokens', key: 'maxTokens', kind: 'tokens' },
  /** Default: none. The price of the model must be known. */
  costUsd: { cap: 'cost', field: 'maxCostUsd', key: 'maxCostUsd', kind: 'cost' },
  /**
   * Active time; sleep between stop and resume does not count. Default 600,000 (ten minutes): as long as people wait before they
   * look; unattended work says more. An agent that brings its own tools has an hour by default: a turn of it is a whole loop.
   */
  wallClockMs: { cap: 'wall_clock', field: 'maxWallClockMs', key: 'maxSeconds', kind: 'time' },
  /** Times in a row that a stop of the drive is blocked without a better score than ever. Default: none. */
  blockedStops: { cap: 'blocked_stops', field: 'maxBlockedStops', key: 'maxBlockedStops', kind: 'turns' },
} as const satisfies Readonly<Record<string, CapRow>>

/** What a cap bounds. */
export type Bound = keyof typeof capTable
/** What can be carved for a sub-run and added by a top-up. */
export type Amount = Exclude<Bound, 'blockedStops'>

export type CapName = (typeof capTable)[Bound]['cap']
type CapField = (typeof capTable)[Bound]['field']

export const bounds = Object.keys(capTable) as readonly Bound[]
export const amounts = bounds.filter((bound) => bound !== 'blockedStops')
export const capNames = bounds.map((bound) => capTable[bound].cap)

/** A cap of null is switched off. Every number is an upper bound that is never exceeded (I9). */
export interface Caps extends Readonly<Record<CapField, number | null>> {
  /** Of every tool that is named. One call more is refused, and the run goes on. */
  readonly maxCallsPerTool: Readonly<Record<string, number>>
}

export function isWhole(bound: Bound): boolean {
  const { kind } = capTable[bound]
  return kind !== 'cost' && kind !== 'time'
}

/** One value for every cap, under one of its names. */
export function everyCap<Name extends 'field' | 'key', Value>(
  name: Name,
  valueOf: (bound: Bound) => Value,
): Readonly<Record<(typeof capTable)[Bound][Name], Value>> {
  return recordOf(bounds.map((bound) => [capTable[bound][name], valueOf(bound)]))
}

export function everyAmount<Value>(valueOf: (amount: Amount) => Value): Readonly<Record<Amount, Value>> {
  return recordOf(amounts.map((amount) => [amount, valueOf(amount)]))
}

/** The entries hold every key: they are made from the table that the keys come from. */
function recordOf<Key extends string, Value>(entries: readonly (readonly [Key, Value])[]) {
  return Object.fromEntries(entries) as Readonly<Record<Key, Value>>
}

/** Such as `model-calls`: what a person types after `--max-`, and in a top-up. */
export function typedName(bound: Bound): string {
  return capTable[bound].key
    .slice('max'.length)
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Of what is counted, such as `turn` or `model call`. */
export function nounOf(amount: Amount): string {
  return capWords(capTable[amount].cap).slice(0, -1)
}

/** For people, such as `turns` or `wall clock`. */
export function capWords(cap: string): string {
  return cap === 'iterations' ? 'turns' : cap.replaceAll('_', ' ')
}

export interface Budget extends Readonly<Record<Amount, number>> {
  /** By name of the tool. */
  readonly callsPerTool: Readonly<Record<string, number>>
}

/** What the caps allow, where they are not switched off. */
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

/** The caps with other bounds; there is none for those that are switched off. */
export function withBounds(caps: Caps, boundOf: (amount: Amount, bound: number) => number): Caps {
  const bounds = amounts.flatMap((amount) => {
    const { field } = capTable[amount]
    const bound = caps[field]
    return bound === null ? [] : [[field, boundOf(amount, bound)] as const]
  })
  return { ...caps, ...Object.fromEntries(bounds) }
}

/** More of each; those that are switched off stay so. */
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

/** 0 for a name that is not there, whatever it is called. */
export function countOf(counts: Counts, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
}

/**
 * Dollars for a usage at given prices per million tokens. Input from a cache has its own price where that is known; what a
 * provider takes for writing to its cache is not in here.
 */
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

/**
 * A guess of how many tokens a text costs: one for every 3.5 characters, rounded up. It errs on the high side for
 * English and code; it is only used until a provider reports real usage (see `evolve`).
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.5)
}
