/** Sums over rows, by name. Tallies of parts add up to the tally of the whole. */
import type { RunRow } from '../row.ts'

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

/** What a run, a check and a detector add to the sums of many. */
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
