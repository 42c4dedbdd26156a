/** Ratios are from 0 to 1, and null if there is nothing to divide by. */
import { type Interval, UsageError, wilsonInterval } from '../../base/index.ts'
import type { RunRow } from './row.ts'

/** A ratio with its 95% Wilson interval. */
export interface Rate {
  readonly part: number
  readonly whole: number
  readonly share: number | null
  readonly interval: Interval
}

export interface Named {
  readonly name: string
  readonly count: number
}

export function rateOf(part: number, whole: number): Rate {
  return { part, whole, share: divide(part, whole), interval: wilsonInterval(part, whole) }
}

function divide(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

export type Figures = ReturnType<typeof figuresOf>

export function figuresOf(rows: readonly RunRow[]) {
  const sum = (numberOf: (row: RunRow) => number) => sumOf(rows, numberOf)
  const count = (isCounted: (row: RunRow) => boolean) => rows.filter(isCounted).length
  const ended = count(({ outcome }) => outcome !== null)
  return {
    runs: rows.length,
    ended,
    turns: sum(({ turns }) => turns),
    modelCalls: sum(({ modelCalls }) => modelCalls),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    overrides: sum(({ overrides }) => overrides),
    waivers: sum(({ waivers }) => waivers),
    outcomes: countNames(rows.map(({ outcome }) => outcome)),
    reasons: countNames(rows.map(({ reason }) => reason)),
    caps: countNames(rows.map(({ cap }) => cap)),
    detectors: countNames(rows.map(({ detector }) => detector)),
    verified: rateOf(count(isVerified), ended),
    firstTry: rateOf(
      count(({ isFirstTry }) => isFirstTry === true),
      count(({ isFirstTry }) => isFirstTry !== null),
    ),
    /** Claims made while a required check had failed, of all claims. */
    falseDone: rateOf(
      sum(({ falseClaims }) => falseClaims),
      sum(({ claims }) => claims),
    ),
    roundsToGreen: roundsOf(rows),
    cost: costOf(rows.filter(({ costUsd }) => costUsd !== null)),
    tokens: {
      input: sum(({ inputTokens }) => inputTokens),
      cachedInput: sum(({ cachedInputTokens }) => cachedInputTokens),
      output: sum(({ outputTokens }) => outputTokens),
      reasoning: sum(({ reasoningTokens }) => reasoningTokens),
    },
    messages: {
      user: sum(({ messages }) => messages.user),
      assistant: sum(({ messages }) => messages.assistant),
      tool: sum(({ messages }) => messages.tool),
    },
    activeHours: sum(({ activeMs }) => activeMs) / 3_600_000,
    checks: checksOf(rows),
    findings: findingsOf(rows),
    tools: mostFirst(
      [...groupedByName(rows.flatMap(({ tools }) => tools))].map(([name, each]) => ({
        name,
        count: sumOf(each, (tool) => tool.count),
      })),
    ),
  }
}

function isVerified({ outcome }: RunRow): boolean {
  return outcome === 'verified'
}

/** @param priced runs whose cost is known */
function costOf(priced: readonly RunRow[]) {
  const usd = sumOf(priced, ({ costUsd }) => costUsd ?? 0)
  const withChecks = usd + sumOf(priced, ({ checksCostUsd }) => checksCostUsd)
  return {
    usd,
    knownRuns: priced.length,
    perVerifiedUsd: divide(withChecks, priced.filter(isVerified).length),
  }
}

function checksOf(rows: readonly RunRow[]) {
  const each = [...groupedByName(rows.flatMap(({ checks }) => checks))].map(([name, totals]) => ({
    name,
    runs: sumOf(totals, ({ runs }) => runs),
    failures: sumOf(totals, ({ failures }) => failures),
    flakes: sumOf(totals, ({ flakes }) => flakes),
    costUsd: sumOf(totals, ({ costUsd }) => costUsd),
    seconds: sumOf(totals, ({ ms }) => ms) / 1000,
  }))
  return {
    seconds: sumOf(each, ({ seconds }) => seconds),
    costUsd: sumOf(rows, ({ checksCostUsd }) => checksCostUsd),
    flaky: rateOf(
      sumOf(each, ({ flakes }) => flakes),
      sumOf(each, ({ runs }) => runs),
    ),
    each: each.sort((one, other) => other.failures - one.failures || byName(one, other)),
  }
}

function findingsOf(rows: readonly RunRow[]) {
  const fired = rows.flatMap((row) => row.findings.map(({ name, count }) => ({ name, count, row })))
  return [...groupedByName(fired)]
    .map(([name, each]) => {
      const ended = each.filter(({ row }) => row.outcome !== null)
      const verified = ended.filter(({ row }) => isVerified(row)).length
      return {
        name,
        findings: sumOf(each, ({ count }) => count),
        runs: each.length,
        verified: rateOf(verified, ended.length),
      }
    })
    .sort((one, other) => other.runs - one.runs || byName(one, other))
}

/** Verifications until all required checks passed, of the runs in which they did. */
function roundsOf(rows: readonly RunRow[]) {
  const rounds = rows.flatMap(({ roundsToGreen }) => roundsToGreen ?? []).sort((one, other) => one - other)
  const median = rounds[Math.ceil(rounds.length / 2) - 1] ?? null
  return { runs: rounds.length, median, mean: divide(sumOf(rounds, Number), rounds.length) }
}

function countNames(names: readonly (string | null)[]): readonly Named[] {
  const groups = Map.groupBy(
    names.filter((name) => name !== null),
    (name) => name,
  )
  return mostFirst([...groups].map(([name, each]) => ({ name, count: each.length })))
}

function groupedByName<Item extends { readonly name: string }>(items: readonly Item[]) {
  return Map.groupBy(items, ({ name }) => name)
}

function mostFirst(named: readonly Named[]): readonly Named[] {
  return named.toSorted((one, other) => other.count - one.count || byName(one, other))
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}

const dayMs = 86_400_000

/** Returns the ISO week, such as `2026-W46`. A week belongs to the year of its Thursday. */
export function weekOf(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs)
  const daysSinceMonday = (((day + 3) % 7) + 7) % 7
  const thursday = day - daysSinceMonday + 3
  const year = new Date(thursday * dayMs).getUTCFullYear()
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7)
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** Parses the value of `--since`. @returns Unix milliseconds @throws {UsageError} unless a span or a day */
export function sinceOf(text: string, nowMs: number): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (unitMs !== undefined) return nowMs - Number(amount) * unitMs
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(day)) return day
  throw new UsageError(`--since "${text}" is no span such as 24h, 7d or 4w, and no day such as 2026-11-01`)
}
