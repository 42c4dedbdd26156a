/** `donecheck backtest`: what other stop policies would have done to runs that are on record. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Backtest, pictureOf, type BacktestReport } from '@donecheck/engine/backtest'
import { messageOf, UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../../process/io.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { resolveSettings } from '../../../settings/settings.ts'
import { currentName, policyOf, typedPolicy } from './policies.ts'
import { eachRecording, type RecordingFlags } from './recordings.ts'
import { reportText } from './text.ts'

export interface BacktestFlags extends RecordingFlags {
  readonly config?: string
  readonly policy?: readonly string[]
  readonly plot?: string
  readonly sets?: boolean
}

/** Exits with 0 whatever it tells. */
export async function backtestCommand(
  files: readonly string[],
  { policy: typed = [], plot, sets = false, json = false, half, runs, withoutLabel, ...flags }: BacktestFlags,
  io: CliIo,
): Promise<number> {
  const { config } = await resolveSettings(flags, io)
  const named = typed.map((each) => typedPolicy(each, config, io.currentFolder))
  const twice = named.find(
    ({ name }, place) => name === currentName || named.findIndex((other) => other.name === name) < place,
  )
  if (twice !== undefined)
    throw new UsageError(`a policy is called "${twice.name}" already: every one needs a name of its own`)
  const backtest = new Backtest([policyOf(currentName, config), ...named])
  const choice = {
    ...flags,
    ...(half && { half }),
    ...(runs && { runs }),
    ...(withoutLabel && { withoutLabel }),
  }
  const problems = await eachRecording(files, choice, config, io, (run) => {
    backtest.add(run)
  })
  const report = backtest.report()
  for (const problem of problems) io.stderr.write(`${problem}\n`)
  if (plot !== undefined) writeNew(resolve(io.currentFolder, plot), pictureOfReport(report), '--plot')
  io.stdout.write(json ? `${JSON.stringify({ ...report, problems })}\n` : reportText(report, sets))
  return 0
}

function pictureOfReport({ counts, policies }: BacktestReport): string {
  const subtitle = `${counts.resolved} runs that reached their goal, and ${counts.unresolved} that did not`
  const dots = policies.map(({ name, killedShare = 0, calls }) => ({
    name,
    killedShare,
    savedShare: calls.share ?? 0,
  }))
  return pictureOf('Stop policies on recorded runs', subtitle, dots)
}

/** @throws {UsageError} where there is such a file already, or it cannot be written */
export function writeNew(file: string, text: string, flag: string): void {
  orUsageError(
    () => writeFileSync(file, text, { flag: 'wx' }),
    (error) => `${flag}: ${file} is not written, and nothing is overwritten: ${messageOf(error)}`,
  )
}
