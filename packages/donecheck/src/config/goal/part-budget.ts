import type { CommandCheck, SubGoalBudget } from '@donecheck/core/internal/goal'

export function checkName(subGoalId: string): string {
  return `goal ${subGoalId}`
}

export function namedChecks(name: string, commands: readonly string[]): readonly CommandCheck[] {
  return commands.map((command, index) => ({
    name: index === 0 ? name : `${name} ${index + 1}`,
    command,
  }))
}

interface Unit {
  readonly bound: keyof SubGoalBudget
  readonly factor: number
  readonly isWhole: boolean
}

const turn: Unit = { bound: 'turns', factor: 1, isWhole: true }
const token: Unit = { bound: 'tokens', factor: 1, isWhole: true }
const usd: Unit = { bound: 'costUsd', factor: 1, isWhole: false }
const time = (factor: number): Unit => ({ bound: 'activeMs', factor, isWhole: false })
const [second, minute, hour] = [time(1000), time(60_000), time(3_600_000)]

const units: Readonly<Record<string, Unit>> = {
  ...{ turn, token, usd, dollar: usd, $: usd },
  ...{ second, sec: second, s: second, minute, min: minute, hour, hr: hour, h: hour },
}

const scales = { k: 1000, m: 1_000_000 }

/** More is a typo. */
const most = 1e12

/** @param text such as `8 turns, 50,000 tokens, 1.5 usd and 1 hour`, or `200k tokens` @returns undefined if invalid */
export function readPartBudget(text: string): SubGoalBudget | undefined {
  const budget = new Map<keyof SubGoalBudget, number>()
  for (const part of text.split(separator)) {
    const bound = boundOf(part.trim())
    if (bound === undefined || budget.has(bound.name)) return undefined
    budget.set(bound.name, bound.value)
  }
  return Object.fromEntries(budget)
}

/** A comma between digit groups does not separate. */
const separator = /(?:(?<!\d),|,(?!\d{3}(?!\d)))\s*(?:and\s)?|\sand\s/i
const amountAndUnit =
  /^(?<sign>\$?)\s*(?<amount>\d+(?:[_,]\d+)*(?:\.\d+)?|\.\d+)\s*(?<scale>[km](?![a-z]))?\s*(?<unit>[a-z$]*)$/i

function boundOf(text: string): { readonly name: keyof SubGoalBudget; readonly value: number } | undefined {
  const { sign = '', amount = '', scale = '', unit = '' } = amountAndUnit.exec(text)?.groups ?? {}
  const row = unitOf(unit === '' ? sign : unit)
  if (row === undefined || (sign !== '' && row !== usd)) return undefined
  const scaled = Number(amount.replaceAll(/[_,]/g, '')) * scaleOf(scale)
  const value = scaled * row.factor
  const isAmount = value > 0 && value <= most && (!row.isWhole || Number.isInteger(value))
  return isAmount ? { name: row.bound, value } : undefined
}

function unitOf(written: string): Unit | undefined {
  const word = written.toLowerCase()
  const name = [word, word.replace(/s$/, '')].find((each) => Object.hasOwn(units, each))
  return name === undefined ? undefined : units[name]
}

function scaleOf(written: string): number {
  const scale = written.toLowerCase()
  return scale === 'k' || scale === 'm' ? scales[scale] : 1
}

export const partBudgetForm =
  'amounts of turns, tokens, usd, seconds, minutes or hours, such as "8 turns, 50000 tokens"'
