/** The budget of a part of a goal, as people write it. */
import type { SubGoalBudget } from '@donecheck/core/goal'

interface Unit {
  readonly bound: keyof SubGoalBudget
  /** How many of the bound's own units one of these is. */
  readonly factor: number
}

const units: Readonly<Record<string, Unit>> = {
  turn: { bound: 'turns', factor: 1 },
  token: { bound: 'tokens', factor: 1 },
  usd: { bound: 'costUsd', factor: 1 },
  second: { bound: 'activeMs', factor: 1000 },
  minute: { bound: 'activeMs', factor: 60_000 },
}

/**
 * @param text such as `8 turns, 50000 tokens, 1.5 usd, 300 seconds`
 * @returns undefined for anything else
 */
export function readPartBudget(text: string): SubGoalBudget | undefined {
  const budget = new Map<keyof SubGoalBudget, number>()
  for (const part of text.split(',')) {
    const bound = boundOf(part)
    if (bound === undefined || budget.has(bound.name)) return undefined
    budget.set(bound.name, bound.value)
  }
  return Object.fromEntries(budget)
}

function boundOf(text: string): { readonly name: keyof SubGoalBudget; readonly value: number } | undefined {
  const { amount = '', unit = '' } =
    /^\s*(?<amount>[\d._]+)\s+(?<unit>[a-z]+?)s?\s*$/i.exec(text)?.groups ?? {}
  const row = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined
  const value = Number(amount.replaceAll('_', ''))
  return row === undefined || !(value > 0) ? undefined : { name: row.bound, value: value * row.factor }
}

/** For messages. */
export const partBudgetForm =
  'amounts of turns, tokens, usd, seconds or minutes, such as "8 turns, 50000 tokens"'
