/** Two sets of runs side by side: what differs, how surely, and what would decide it. */
import type { Interval } from '../../base/index.ts'
import { rateOf, type Rate, type RunRow } from '../insights/index.ts'
import {
  casesToDecide,
  differenceInterval,
  fisherTest,
  meanOf,
  permutationTest,
  significance,
  type Cases,
} from './difference.ts'

export interface RateComparison {
  readonly name: string
  readonly a: Rate
  readonly b: Rate
  /** Share of B less that of A; null where a side has no case. */
  readonly difference: number | null
  /** Of the difference, 95 % (Newcombe). */
  readonly interval: Interval | null
  /** Of Fisher's exact test, two-sided. */
  readonly p: number
  readonly differs: boolean
  /** Cases a side that would tell shares like these apart, in four of five tries; null: they are the same. */
  readonly casesToDecide: number | null
}

export interface MeanComparison {
  readonly name: string
  readonly a: Mean
  readonly b: Mean
  readonly difference: number | null
  /** Of a permutation test. */
  readonly p: number
  readonly differs: boolean
}

export interface Mean {
  readonly runs: number
  readonly mean: number | null
}

export interface Comparison {
  readonly runsA: number
  readonly runsB: number
  /** Runs that belong to both sides tell nothing of a difference: they are on neither. */
  readonly inBoth: number
  readonly rates: readonly RateComparison[]
  readonly means: readonly MeanComparison[]
}

type Belongs = (row: RunRow) => boolean

export function compareRuns(rows: readonly RunRow[], isA: Belongs, isB: Belongs): Comparison {
  const a = rows.filter((row) => isA(row) && !isB(row))
  const b = rows.filter((row) => isB(row) && !isA(row))
  return {
    runsA: a.length,
    runsB: b.length,
    inBoth: rows.filter((row) => isA(row) && isB(row)).length,
    rates: Object.entries(shares).map(([name, read]) =>
      compareRates(name, casesOf(a, read), casesOf(b, read)),
    ),
    means: Object.entries(amounts).map(([name, read]) =>
      compareMeans(name, valuesOf(a, read), valuesOf(b, read)),
    ),
  }
}

/** Of one run; null: it is no case of it. Every run counts once, so that the cases of a side are independent. */
const shares: Readonly<Record<string, (row: RunRow) => boolean | null>> = {
  verified: ({ outcome }) => (outcome === null ? null : outcome === 'verified'),
  'first try': ({ isFirstTry }) => isFirstTry,
  'said done while red': ({ claims, falseClaims }) => (claims === 0 ? null : falseClaims > 0),
  'ended at a cap': ({ outcome, cap }) => (outcome === null ? null : cap !== null),
  'ended by a detector': ({ outcome, detector }) => (outcome === null ? null : detector !== null),
}

const amounts: Readonly<Record<string, (row: RunRow) => number | null>> = {
  'rounds to green': ({ roundsToGreen }) => roundsToGreen,
  turns: (row) => row.turns,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  'cost in dollars': ({ costUsd }) => costUsd,
  'active seconds': ({ activeMs }) => activeMs / 1000,
  'seconds in checks': ({ checks }) => checks.reduce((sum, { ms }) => sum + ms / 1000, 0),
}

function casesOf(rows: readonly RunRow[], read: (row: RunRow) => boolean | null): Cases {
  const cases = rows.flatMap((row) => read(row) ?? [])
  return { part: cases.filter((isPart) => isPart).length, whole: cases.length }
}

function valuesOf(rows: readonly RunRow[], read: (row: RunRow) => number | null): readonly number[] {
  return rows.flatMap((row) => read(row) ?? [])
}

function compareRates(name: string, a: Cases, b: Cases): RateComparison {
  const [rateA, rateB] = [rateOf(a.part, a.whole), rateOf(b.part, b.whole)]
  const isKnown = rateA.share !== null && rateB.share !== null
  const p = isKnown ? fisherTest(a, b) : 1
  return {
    name,
    a: rateA,
    b: rateB,
    difference: rateA.share === null || rateB.share === null ? null : rateB.share - rateA.share,
    interval: isKnown ? differenceInterval(a, b) : null,
    p,
    differs: p < significance,
    casesToDecide: casesToDecide(a, b) ?? null,
  }
}

function compareMeans(name: string, a: readonly number[], b: readonly number[]): MeanComparison {
  const [sideA, sideB] = [sideOfMean(a), sideOfMean(b)]
  const p = permutationTest(a, b)
  const difference = sideA.mean === null || sideB.mean === null ? null : sideB.mean - sideA.mean
  return { name, a: sideA, b: sideB, difference, p, differs: p < significance }
}

function sideOfMean(values: readonly number[]): Mean {
  return { runs: values.length, mean: values.length === 0 ? null : meanOf(values) }
}
