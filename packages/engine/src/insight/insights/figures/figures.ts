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

export function rateOf(part: number, whole: number): Rate {
  return { part, whole, share: shareOf(part, whole), interval: wilsonInterval(part, whole) }
}

/** Undefined where no run was added. */
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
    /** Of the runs that have ended. */
    verified: rateOf(sums.verified, ended),
    /** Of the runs with a first claim that could be judged. */
    firstTry: rateOf(sums.firstTryPasses, sums.firstTries),
    /** Of the claims: while a required check had failed. */
    falseDone: rateOf(sums.falseClaims, sums.claims),
    roundsToGreen: roundsOf(tally.roundsToGreen),
    cost: {
      /** Of what drives, in the runs of which every price is known. */
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
export type CheckFigures = Figures['checks']['each'][number]
export type FindingFigures = Figures['findings'][number]

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
    /** The one that caught most first. */
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
