/** Two sets of runs side by side, for a terminal. */
import { harmless, plural } from '@donecheck/core/base'
import type { Comparison, MeanComparison, RateComparison } from '@donecheck/engine/compare'
import { figure, rateWords, whole } from '@donecheck/engine/insights'
import { alignedRows } from './aligned-rows.ts'

export interface CompareWords {
  readonly scope: readonly string[]
  readonly a: string
  readonly b: string
}

export function compareText(comparison: Comparison, { scope, a, b }: CompareWords): string {
  const { runsA, runsB, inBoth, rates, means } = comparison
  const parts = [
    [
      ...scope,
      `A: ${a}, ${plural(runsA, 'run')}`,
      `B: ${b}, ${plural(runsB, 'run')}`,
      ...(inBoth === 0 ? [] : [`${plural(inBoth, 'run')} on both sides, counted on neither`]),
    ].join('\n'),
    alignedRows([['', 'A', 'B', 'B less A', 'p', ''], ...rates.map(rateRow)]),
    alignedRows([['', 'A', 'B', 'B less A', 'p', ''], ...means.map(meanRow)]),
    `${plural(rates.length + means.length, 'comparison')}: of so many, one in twenty shows p below 0.05 by chance alone.`,
  ]
  return harmless(`${parts.join('\n\n')}\n`)
}

function rateRow(row: RateComparison): readonly string[] {
  return [
    row.name,
    rateWords(row.a),
    rateWords(row.b),
    differenceWords(row),
    probability(row.p),
    verdictWords(row),
  ]
}

function meanRow({ name, a, b, difference, p, differs }: MeanComparison): readonly string[] {
  return [
    name,
    `${figure(a.mean)} in ${whole(a.runs)}`,
    `${figure(b.mean)} in ${whole(b.runs)}`,
    signed(difference, figure),
    probability(p),
    differs ? 'differs' : '',
  ]
}

function differenceWords({ difference, interval }: RateComparison): string {
  if (difference === null || interval === null) return '–'
  const points = (value: number) => (100 * value).toFixed(0)
  return `${signed(difference, points)} points (${points(interval.low)} to ${points(interval.high)})`
}

function signed(value: number | null, words: (value: number) => string): string {
  if (value === null) return '–'
  return `${value > 0 ? '+' : ''}${words(value)}`
}

function probability(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

function verdictWords({ differs, casesToDecide, a, b }: RateComparison): string {
  if (differs) return 'differs'
  if (a.whole === 0 || b.whole === 0) return 'no case on a side'
  if (casesToDecide === null) return 'the same'
  return `not decided: ${whole(casesToDecide)} cases a side would`
}
