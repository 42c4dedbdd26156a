/** Such as `[id] Title (after other) (at most 8 turns)` and commands in backticks; children are indented. */
import type { CommandCheck, SubGoal, SubGoalBudget } from '@donecheck/core/internal/goal'
import { type Item, type Line, commandsOf, withoutCode } from './markdown.ts'
import { given } from '@donecheck/engine/internal/base'

export type Wrong = (line: Line, problem: string) => Error

export interface Part {
  readonly subGoal: SubGoal
  readonly checks: readonly CommandCheck[]
  /** Nearest first. */
  readonly above: readonly string[]
}

export function checkName(subGoalId: string): string {
  return `goal ${subGoalId}`
}

export function namedChecks(name: string, commands: readonly string[]): readonly CommandCheck[] {
  return commands.map((command, index) => ({
    name: index === 0 ? name : `${name} ${index + 1}`,
    command,
  }))
}

export function partsOf(items: readonly Item[], wrong: Wrong): readonly Part[] {
  const parts: Part[] = []
  let open: readonly { readonly id: string; readonly indent: number }[] = []
  for (const { line, indent } of items) {
    open = open.filter((each) => indent >= each.indent + leastIndent)
    const above = open.map(({ id }) => id).toReversed()
    const part = partOf(line, above, wrong)
    const ids = parts.map(({ subGoal }) => subGoal.id)
    const { id, after } = part.subGoal
    if (ids.includes(id)) throw wrong(line, `there is a sub-goal "${id}" already`)
    const unknown = after.find((each) => !ids.includes(each))
    if (unknown !== undefined)
      throw wrong(line, `there is no sub-goal "${unknown}" above it; "after" names ids of those above`)
    const own = after.find((each) => above.includes(each))
    if (own !== undefined) throw wrong(line, `it is a part of "${own}", so it cannot come after it`)
    parts.push(part)
    open = [...open, { id, indent }]
  }
  return parts
}

const leastIndent = 2
const taskBox = /^\[(?: \]\s*|[xX]\]\s+(?=\[))/
const withId = /^\[(?<id>[a-z0-9][a-z0-9-]{0,39})\]:?\s+(?<rest>.+)$/i

function partOf(line: Line, above: readonly string[], wrong: Wrong): Part {
  const { id: written, rest } = withId.exec(line.text.replace(taskBox, ''))?.groups ?? {}
  if (written === undefined || rest === undefined)
    throw wrong(
      line,
      'a sub-goal begins with its id in brackets, of letters, digits and dashes, such as "- [docs] Write the guide"; indent what goes on with the line above',
    )
  const clauses = clausesOf(rest)
  if (typeof clauses === 'string') throw wrong(line, clauses)
  const { rest: text, ...limits } = clauses
  const commanded = commandsOf(text)
  if (typeof commanded === 'string') throw wrong(line, commanded)
  const { words: title, commands } = commanded
  if (title === '') throw wrong(line, 'it has no title')
  const id = written.toLowerCase()
  const checks = namedChecks(checkName(id), commands)
  return {
    subGoal: {
      id,
      title,
      parentId: above[0] ?? null,
      checks: checks.map(({ name }) => name),
      isProposed: false,
      ...limits,
    },
    checks,
    above,
  }
}

interface Clauses {
  readonly rest: string
  readonly after: readonly string[]
  readonly budget?: SubGoalBudget
}

const clause = /\s*\((?<kind>after|at\s+most):?\s+(?<text>[^()]+)\)/gi
const leftOver = /\((?:after|at\s+most)\s/i

export function clausesOf(line: string): Clauses | string {
  const found = new Map<string, string>()
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: whole, groups = {} } of withoutCode(line).matchAll(clause)) {
    const kind = (groups['kind'] ?? '').toLowerCase().replace(/\s+/, ' ')
    const end = index + whole.length
    const text = line.slice(end - 1 - (groups['text'] ?? '').length, end - 1)
    if (found.has(kind)) return `"(${kind} …)" stands there twice; write it once, with commas`
    found.set(kind, text)
    pieces.push(line.slice(from, index))
    from = end
  }
  const rest = [...pieces, line.slice(from)].join('').trim()
  if (leftOver.test(withoutCode(rest)))
    return 'a bracket is not closed, or has brackets in it; put such names in backticks'
  return withBudget(rest, found)
}

function withBudget(rest: string, found: ReadonlyMap<string, string>): Clauses | string {
  const atMost = found.get('at most')
  const budget = atMost === undefined ? undefined : readPartBudget(atMost)
  if (atMost !== undefined && budget === undefined) return `"at most" takes ${partBudgetForm}`
  return {
    rest,
    after: namesIn(found.get('after') ?? '').map((name) => name.toLowerCase()),
    ...given({ budget }),
  }
}

function namesIn(text: string): readonly string[] {
  const names = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map((name) => name.trim())
  return text === '' ? [] : names
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
