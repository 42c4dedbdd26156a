/** What is told of a set of runs. Shares are of 1; null where there is nothing to divide by. */
import { wilsonInterval, type Interval } from '../../../base/index.ts'
import type { Tally } from './tally.ts'

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

export interface CheckFigures {
  readonly name: string
  readonly runs: number
  readonly failures: number
  readonly flakes: number
  readonly seconds: number
  readonly costUsd: number
  /** Failures that it has caught, by second that it ran. */
  readonly catchesPerSecond: number | null
}

export interface FindingFigures {
  readonly name: string
  readonly findings: number
  /** In which it fired. */
  readonly runs: number
  /** Of those that have ended: how many ended verified all the same. */
  readonly verified: Rate
}

export interface Figures {
  readonly runs: number
  readonly ended: number
  readonly outcomes: readonly Named[]
  readonly reasons: readonly Named[]
  readonly caps: readonly Named[]
  readonly detectors: readonly Named[]
  /** Of the runs that have ended. */
  readonly verified: Rate
  /** Of the runs with a first claim that could be judged. */
  readonly firstTry: Rate
  /** Of the claims: while a required check had failed. */
  readonly falseDone: Rate
  /** Verifications until all required checks passed, of the runs where they did. */
  readonly roundsToGreen: {
    readonly runs: number
    readonly median: number | null
    readonly mean: number | null
  }
  readonly cost: {
    /** Of what drives, in the runs of which every price is known. */
    readonly usd: number
    readonly knownRuns: number
    /** With what their checks have cost. */
    readonly perVerifiedUsd: number | null
  }
  readonly tokens: {
    readonly input: number
    readonly cachedInput: number
    readonly output: number
    readonly reasoning: number
  }
  readonly turns: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly messages: { readonly user: number; readonly assistant: number; readonly tool: number }
  readonly activeHours: number
  readonly checks: {
    readonly seconds: number
    readonly costUsd: number
    /** Verdicts that were called flaky, of those asked for. */
    readonly flaky: Rate
    /** The one that caught most first. */
    readonly each: readonly CheckFigures[]
  }
  readonly findings: readonly FindingFigures[]
  readonly tools: readonly Named[]
  readonly overrides: number
  readonly waivers: number
}

export function rateOf(part: number, whole: number): Rate {
  return { part, whole, share: shareOf(part, whole), interval: wilsonInterval(part, whole) }
}

/** Undefined where no run was added. */
export function figuresOf(tally: Tally): Figures | undefined {
  const { sums } = tally
  if (sums === undefined) return undefined
  return {
    runs: sums.runs,
    ended: sums.ended,
    outcomes: mostFirst(tally.outcomes),
    reasons: mostFirst(tally.reasons),
    caps: mostFirst(tally.caps),
    detectors: mostFirst(tally.detectors),
    verified: rateOf(sums.verified, sums.ended),
    firstTry: rateOf(sums.firstTryPasses, sums.firstTries),
    falseDone: rateOf(sums.falseClaims, sums.claims),
    roundsToGreen: roundsOf(tally.roundsToGreen),
    cost: {
      usd: sums.costUsd,
      knownRuns: sums.pricedRuns,
      perVerifiedUsd: shareOf(sums.costUsd + sums.pricedChecksUsd, sums.pricedVerified),
    },
    tokens: {
      input: sums.inputTokens,
      cachedInput: sums.cachedInputTokens,
      output: sums.outputTokens,
      reasoning: sums.reasoningTokens,
    },
    turns: sums.turns,
    modelCalls: sums.modelCalls,
    toolCalls: sums.toolCalls,
    messages: { user: sums.userMessages, assistant: sums.assistantMessages, tool: sums.toolMessages },
    activeHours: sums.activeMs / 3_600_000,
    checks: checksOf(tally, sums),
    findings: findingsOf(tally),
    tools: mostFirst(tally.tools),
    overrides: sums.overrides,
    waivers: sums.waivers,
  }
}

function checksOf({ checks }: Tally, sums: { readonly checksMs: number; readonly checksCostUsd: number }) {
  const each = [...checks].map(([name, { ms, ...check }]) => ({
    name,
    ...check,
    seconds: ms / 1000,
    catchesPerSecond: shareOf(check.failures, ms / 1000),
  }))
  return {
    seconds: sums.checksMs / 1000,
    costUsd: sums.checksCostUsd,
    flaky: rateOf(sumOf(each, 'flakes'), sumOf(each, 'runs')),
    each: each.sort((one, other) => other.failures - one.failures || byName(one, other)),
  }
}

function findingsOf({ findings }: Tally): readonly FindingFigures[] {
  return [...findings]
    .map(([name, sums]) => ({
      name,
      findings: sums.findings,
      runs: sums.runs,
      verified: rateOf(sums.verified, sums.ended),
    }))
    .sort((one, other) => other.runs - one.runs || byName(one, other))
}

function roundsOf(counts: ReadonlyMap<string, number>): Figures['roundsToGreen'] {
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
