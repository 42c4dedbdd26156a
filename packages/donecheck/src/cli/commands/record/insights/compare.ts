import { UsageError } from '@donecheck/engine/base'
import { compareRuns, sideOf, type Side } from '@donecheck/engine/compare'
import type { RunRow } from '@donecheck/engine/insights'
import type { CliIo } from '../../../process/io.ts'
import { compareText } from './compare-text.ts'
import { runsInQuestion, type QuestionFlags } from './known-runs.ts'

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
