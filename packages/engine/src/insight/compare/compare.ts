/** Two sets of runs side by side: what differs, how surely, and what would decide it. */
import { rateOf, type RunRow } from '../insights/index.ts'
import {
  casesToDecide,
  differenceInterval,
  fisherTest,
  meanOf,
  permutationTest,
  significance,
  type Cases,
} from './difference.ts'

type Belongs = (row: RunRow) => boolean

/** Runs that belong to both sides tell nothing of a difference: they are on neither. */
export function compareRuns(rows: readonly RunRow[], isA: Belongs, isB: Belongs) {
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

function compareRates(name: string, casesA: Cases, casesB: Cases) {
  const [a, b] = [rateOf(casesA.part, casesA.whole), rateOf(casesB.part, casesB.whole)]
  const difference = a.share === null || b.share === null ? null : b.share - a.share
  /** Of Fisher's exact test, two-sided. */
  const p = difference === null ? 1 : fisherTest(casesA, casesB)
  return {
    ...{ name, a, b, p, differs: p < significance },
    /** Share of B less that of A; null where a side has no case. */
    difference,
    /** Of the difference, 95 % (Newcombe). */
    interval: difference === null ? null : differenceInterval(casesA, casesB),
    /** Cases a side that would tell shares like these apart, in four of five tries; null: they are the same. */
    casesToDecide: casesToDecide(casesA, casesB) ?? null,
  }
}

function compareMeans(name: string, valuesA: readonly number[], valuesB: readonly number[]) {
  const [a, b] = [sideOfMean(valuesA), sideOfMean(valuesB)]
  const p = permutationTest(valuesA, valuesB)
  const difference = a.mean === null || b.mean === null ? null : b.mean - a.mean
  return { name, a, b, difference, p, differs: p < significance }
}

function sideOfMean(values: readonly number[]) {
  return { runs: values.length, mean: values.length === 0 ? null : meanOf(values) }
}

export type Comparison = ReturnType<typeof compareRuns>
export type RateComparison = Comparison['rates'][number]
export type MeanComparison = Comparison['means'][number]
export type Mean = MeanComparison['a']
