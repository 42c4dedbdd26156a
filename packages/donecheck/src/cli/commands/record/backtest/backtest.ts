/** `donecheck backtest`: what other stop policies would have done to runs that are on record. */
import { Backtest } from '@donecheck/engine/backtest'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../../process/io.ts'
import { resolveSettings } from '../../../settings/settings.ts'
import { currentName, policyOf, typedPolicy } from './policies.ts'
import { eachRecording, type RecordingFlags } from './recordings.ts'
import { reportText } from './text.ts'

export interface BacktestFlags extends RecordingFlags {
  readonly config?: string
  readonly policy?: readonly string[]
  readonly sets?: boolean
}

/** Exits with 0 whatever it tells. */
export async function backtestCommand(
  files: readonly string[],
  { policy: typed = [], sets = false, json = false, runs, withoutLabel, ...flags }: BacktestFlags,
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
    ...(runs && { runs }),
    ...(withoutLabel && { withoutLabel }),
  }
  const problems = await eachRecording(files, choice, config, io, (run) => {
    backtest.add(run)
  })
  const report = backtest.report()
  for (const problem of problems) io.stderr.write(`${problem}\n`)
  io.stdout.write(json ? `${JSON.stringify({ ...report, problems })}\n` : reportText(report, sets))
  return 0
}
