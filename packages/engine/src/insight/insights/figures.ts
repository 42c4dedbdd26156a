/** What is told of a set of runs. Shares are of 1; null where there is nothing to divide by. */
import { type Interval, UsageError, wilsonInterval } from '../../base/index.ts'
import type { RunRow } from './row.ts'

/** A share of cases, with the interval in which the true one lies with 95 % confidence (Wilson). */
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
  return { part, whole, share: shareOf(part, whole), interval: wilsonInterval(part, whole) }
}

/** Undefined if no run was added. */
export function figuresOf(tally: Tally) {
  const { sums } = tally
  if (sums === undefined) return undefined
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = sums
  const { runs, ended, turns, modelCalls, toolCalls, overrides, waivers } = sums
  return {
    ...{ runs, ended, turns, modelCalls, toolCalls, overrides, waivers },
    outcomes: mostFirst(tally.outcomes),
    reasons: mostFirst(tally.reasons),
    caps: mostFirst(tally.caps),
    detectors: mostFirst(tally.detectors),
    verified: rateOf(sums.verified, ended),
    firstTry: rateOf(sums.firstTryPasses, sums.firstTries),
    /** Of the claims: while a required check had failed. */
    falseDone: rateOf(sums.falseClaims, sums.claims),
    roundsToGreen: roundsOf(tally.roundsToGreen),
    cost: {
      usd: sums.costUsd,
      knownRuns: sums.pricedRuns,
      /** With what their checks have cost. */
      perVerifiedUsd: shareOf(sums.costUsd + sums.pricedChecksUsd, sums.pricedVerified),
    },
    tokens: {
      input: inputTokens,
      cachedInput: cachedInputTokens,
      output: outputTokens,
      reasoning: reasoningTokens,
    },
    messages: { user: sums.userMessages, assistant: sums.assistantMessages, tool: sums.toolMessages },
    activeHours: sums.activeMs / 3_600_000,
    checks: checksOf(tally, sums),
    findings: findingsOf(tally),
    tools: mostFirst(tally.tools),
  }
}

export type Figures = NonNullable<ReturnType<typeof figuresOf>>

function checksOf({ checks }: Tally, sums: { readonly checksMs: number; readonly checksCostUsd: number }) {
  const each = [...checks].map(([name, { ms, ...check }]) => ({
    name,
    ...check,
    seconds: ms / 1000,
    /** Failures that it has caught, by second that it ran. */
    catchesPerSecond: shareOf(check.failures, ms / 1000),
  }))
  return {
    seconds: sums.checksMs / 1000,
    costUsd: sums.checksCostUsd,
    /** Verdicts that were called flaky, of those asked for. */
    flaky: rateOf(sumOf(each, 'flakes'), sumOf(each, 'runs')),
    each: each.sort((one, other) => other.failures - one.failures || byName(one, other)),
  }
}

function findingsOf({ findings }: Tally) {
  return [...findings]
    .map(([name, { ended, verified, ...counts }]) => {
      // Of the runs in which it fired and that have ended: how many ended verified all the same.
      return { name, ...counts, verified: rateOf(verified, ended) }
    })
    .sort((one, other) => other.runs - one.runs || byName(one, other))
}

/** Verifications until all required checks passed, of the runs where they did. */
function roundsOf(counts: ReadonlyMap<string, number>) {
  const rounds = [...counts].map(([name, runs]) => ({ rounds: Number(name), runs }))
  const runs = sumOf(rounds, 'runs')
  const sum = rounds.reduce((total, one) => total + one.rounds * one.runs, 0)
  return { runs, median: medianOf(rounds, runs), mean: shareOf(sum, runs) }
}

/** The lower of the two in the middle. */
function medianOf(
  rounds: readonly { readonly rounds: number; readonly runs: number }[],
  runs: number,
): number | null {
  let below = 0
  for (const one of rounds.toSorted((low, high) => low.rounds - high.rounds)) {
    below += one.runs
    if (2 * below >= runs) return one.rounds
  }
  return null
}

function mostFirst(counts: ReadonlyMap<string, number>): readonly Named[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || byName(one, other))
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

function sumOf<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0)
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

type Counts = Map<string, number>

export class Tally {
  /** Undefined: no row was added. */
  sums: Sums | undefined
  readonly reasons: Counts = new Map()
  readonly outcomes: Counts = new Map()
  readonly caps: Counts = new Map()
  readonly detectors: Counts = new Map()
  readonly tools: Counts = new Map()
  /** How many runs took so many rounds, which are its keys. */
  readonly roundsToGreen: Counts = new Map()
  readonly checks = new Map<string, typeof checkSums>()
  readonly findings = new Map<string, typeof findingSums>()

  add(row: RunRow): void {
    this.#addSums(sumsOf(row))
    count(this.reasons, row.reason)
    count(this.outcomes, row.outcome)
    count(this.caps, row.cap)
    count(this.detectors, row.detector)
    count(this.roundsToGreen, row.roundsToGreen === null ? null : String(row.roundsToGreen))
    for (const tool of row.tools) count(this.tools, tool.name, tool.count)
    for (const check of row.checks) addNamed(this.checks, check.name, checkSums, check)
    const [ended, verified] = [row.outcome === null ? 0 : 1, row.outcome === 'verified' ? 1 : 0]
    for (const { name, count: findings } of row.findings)
      addNamed(this.findings, name, findingSums, { findings, runs: 1, ended, verified })
  }

  addAll(other: Tally): void {
    if (other.sums !== undefined) this.#addSums(other.sums)
    for (const name of countNames) for (const [key, number] of other[name]) count(this[name], key, number)
    for (const [name, sums] of other.checks) addNamed(this.checks, name, checkSums, sums)
    for (const [name, sums] of other.findings) addNamed(this.findings, name, findingSums, sums)
  }

  #addSums(sums: Sums): void {
    if (this.sums === undefined) this.sums = { ...sums }
    else add(this.sums, sums)
  }
}

const countNames = ['reasons', 'outcomes', 'caps', 'detectors', 'tools', 'roundsToGreen'] as const

function count(counts: Counts, name: string | null, number = 1): void {
  if (name !== null) counts.set(name, (counts.get(name) ?? 0) + number)
}

function addNamed<Name extends string>(
  all: Map<string, Numbers<Name>>,
  name: string,
  none: Readonly<Numbers<Name>>,
  some: Readonly<Numbers<NoInfer<Name>>>,
): void {
  const sums = all.get(name) ?? { ...none }
  add(sums, some)
  all.set(name, sums)
}

function sumsOf(row: RunRow) {
  const { messages, costUsd, checksCostUsd, outcome, isFirstTry } = row
  const { claims, falseClaims, turns, modelCalls, toolCalls, activeMs, overrides, waivers } = row
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = row
  const isVerified = outcome === 'verified'
  return {
    ...{ claims, falseClaims, turns, modelCalls, toolCalls, activeMs, overrides, waivers },
    ...{ inputTokens, cachedInputTokens, outputTokens, reasoningTokens, checksCostUsd },
    runs: 1,
    ended: one(outcome !== null),
    verified: one(isVerified),
    firstTries: one(isFirstTry !== null),
    firstTryPasses: one(isFirstTry === true),
    userMessages: messages.user,
    assistantMessages: messages.assistant,
    toolMessages: messages.tool,
    pricedRuns: one(costUsd !== null),
    pricedVerified: one(costUsd !== null && isVerified),
    costUsd: costUsd ?? 0,
    pricedChecksUsd: costUsd === null ? 0 : checksCostUsd,
    checksMs: row.checks.reduce((sum, { ms }) => sum + ms, 0),
  }
}

type Sums = ReturnType<typeof sumsOf>

const checkSums = { runs: 0, failures: 0, flakes: 0, ms: 0, costUsd: 0 }
const findingSums = { findings: 0, runs: 0, ended: 0, verified: 0 }

type Numbers<Name extends string> = Record<Name, number>

function add<Name extends string>(to: Numbers<Name>, some: Readonly<Numbers<Name>>): void {
  for (const name in to) to[name] += some[name]
}

function one(isCounted: boolean): number {
  return isCounted ? 1 : 0
}

export function activityOf(rows: readonly RunRow[]) {
  const byWeekday = Array.from({ length: 7 }, () => 0)
  const byHour = Array.from({ length: 24 }, () => 0)
  const seen = new Set<number>()
  for (const { startedAtMs } of rows) {
    const day = dayOf(startedAtMs)
    seen.add(day)
    increase(byWeekday, weekdayOf(day))
    increase(byHour, hourOf(startedAtMs))
  }
  const days = [...seen].sort((one, other) => one - other)
  const [first, last] = [days[0], days.at(-1)]
  return {
    /** Runs begun, Monday first, in UTC. */
    byWeekday,
    /** From midnight on, in UTC. */
    byHour,
    activeDays: days.length,
    /** Days in a row on which a run was begun: most of them. */
    longestStreakDays: longestStreak(days),
    firstDay: first === undefined ? null : dateOf(first),
    lastDay: last === undefined ? null : dateOf(last),
  }
}

/** @param days in ascending order, each of them once */
function longestStreak(days: readonly number[]): number {
  let [longest, streak] = [0, 0]
  for (const [index, day] of days.entries()) {
    streak = days[index - 1] === day - 1 ? streak + 1 : 1
    longest = Math.max(longest, streak)
  }
  return longest
}

function increase(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}

const dayMs = 86_400_000

/** Days since the Unix epoch. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

function hourOf(timeMs: number): number {
  return Math.floor((timeMs - dayOf(timeMs) * dayMs) / 3_600_000)
}

/** The ISO week, such as `2026-W46`: it belongs to the year that has its Thursday. */
export function weekOf(day: number): string {
  const thursday = day - weekdayOf(day) + 3
  const year = new Date(thursday * dayMs).getUTCFullYear()
  const week = 1 + Math.floor((thursday - dayOf(Date.UTC(year, 0, 1))) / 7)
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** Such as `2026-11-09`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: dayMs, w: 7 * dayMs }

/**
 * From when on runs are meant.
 * @returns milliseconds since the Unix epoch
 * @throws {UsageError} for what is neither a span such as `7d` nor a day
 */
export function sinceOf(text: string, nowMs: number): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (unitMs !== undefined) return nowMs - Number(amount) * unitMs
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(day)) return day
  throw new UsageError(`--since "${text}" is no span such as 24h, 7d or 4w, and no day such as 2026-11-01`)
}
