import { UsageError } from '@donecheck/engine/base'
import {
  compareRuns,
  sideOf,
  type Side,
  type Comparison,
  type MeanComparison,
  type RateComparison,
} from '@donecheck/engine/compare'
import { type RunRow, figure, rateWords, whole } from '@donecheck/engine/insights'
import type { CliIo } from '../../../process/io.ts'
import { runsInQuestion, type QuestionFlags } from './known-runs.ts'
import { harmless, plural } from '@donecheck/core/base'
import { alignedRows } from './aligned-rows.ts'

/** Two sets of the runs on record, side by side. */
export async function compareCommand(
  a: string,
  b: string,
  { json, ...asked }: QuestionFlags,
  io: CliIo,
): Promise<number> {
  const { rows, scope } = await runsInQuestion(asked, io, Date.now())
  const [sideA, sideB] = [knownSide(a, rows), knownSide(b, rows)]
  const comparison = compareRuns(rows, sideA.has, sideB.has)
  const sides = { a: { kind: sideA.kind, name: sideA.name }, b: { kind: sideB.kind, name: sideB.name } }
  if (json === true) io.stdout.write(`${JSON.stringify({ scope, ...sides, ...comparison })}\n`)
  else io.stdout.write(compareText(comparison, { scope, a, b }))
  return 0
}

/** @throws {UsageError} for a name that no run has, or that is several things */
function knownSide(given: string, rows: readonly RunRow[]): Exclude<Side, { kind: 'unknown' }> {
  const side = sideOf(given, rows)
  if (side.kind === 'unknown') throw new UsageError(side.problem)
  return side
}

interface CompareWords {
  readonly scope: readonly string[]
  readonly a: string
  readonly b: string
}

function compareText(comparison: Comparison, { scope, a, b }: CompareWords): string {
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
