/** Amounts under caps: carved for a sub-run, added by a top-up. Pure arithmetic; no rule lives here. */
import { amounts, capTable, type Amount, type Caps } from './caps.ts'

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
