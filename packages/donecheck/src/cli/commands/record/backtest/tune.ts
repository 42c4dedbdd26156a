/** `donecheck tune`: settings that end more of what leads nowhere, found on one half of the runs and measured on the other. */
import { resolve } from 'node:path'
import {
  Backtest,
  dialsFor,
  tune,
  type BacktestReport,
  type Choice,
  type StopPolicy,
  type Tuning,
} from '@donecheck/engine/backtest'
import { halfOf, stepsOf, type RecordedRun, type Step } from '@donecheck/engine/recordings'
import { UsageError } from '@donecheck/engine/base'
import type { Config } from '../../../../config/index.ts'
import type { CliIo } from '../../../process/io.ts'
import { resolveSettings } from '../../../settings/settings.ts'
import { writeNew } from './backtest.ts'
import { currentName, nested, policyOf, settingsOver } from './policies.ts'
import { eachRecording, type RecordingFlags } from './recordings.ts'
import { percent, reportText } from './text.ts'

export interface TuneFlags extends Omit<RecordingFlags, 'half'> {
  readonly config?: string
  /** Share of 1. Default 0.001. */
  readonly maxFalseStops?: number
  readonly write?: string
}

interface Found {
  readonly tuning: Tuning
  readonly report: BacktestReport
  readonly snippet: Readonly<Record<string, unknown>>
}

const tunedName = 'tuned'

/** Exits with 0 also where nothing better was found. */
export async function tuneCommand(
  files: readonly string[],
  { maxFalseStops = 0.001, write, json = false, runs, withoutLabel, ...flags }: TuneFlags,
  io: CliIo,
): Promise<number> {
  const { config } = await resolveSettings(flags, io)
  const recorded: { readonly run: RecordedRun; readonly steps: readonly Step[] }[] = []
  const choice = { ...flags, ...(runs && { runs }), ...(withoutLabel && { withoutLabel }) }
  const problems = await eachRecording(files, choice, config, io, (run) => {
    recorded.push({ run, steps: stepsOf(run) })
  })
  for (const problem of problems) io.stderr.write(`${problem}\n`)
  const searched = recorded.filter(({ run }) => halfOf(run.id) === 'tune')
  if (!searched.some(({ run }) => run.outcome.resolved === true))
    throw new UsageError('none of the runs to search on reached its goal: nothing would tell a false stop')
  const onTried = (tried: number) => tried % 10 === 0 && io.stderr.write(`${tried} policies tried\n`)
  const policyFor = (tried: Choice) => policyOrNone(config, tried)
  const tuning = tune({
    runs: searched,
    dials: dialsFor(searched),
    maxFalseStops,
    policyOf: policyFor,
    onTried,
  })
  const backtest = new Backtest([
    policyOf(currentName, config),
    policyOf(tunedName, config, nestedChoice(tuning.choice)),
  ])
  for (const { run, steps } of recorded) if (halfOf(run.id) === 'report') backtest.add(run, steps)
  const found = { tuning, report: backtest.report(), snippet: snippetOf(config, tuning.choice) }
  if (write !== undefined)
    writeNew(resolve(io.currentFolder, write), `${JSON.stringify(found.snippet, null, 2)}\n`, '--write')
  io.stdout.write(
    json ? `${JSON.stringify({ ...found, maxFalseStops, problems })}\n` : textOf(found, maxFalseStops),
  )
  return 0
}

/** Settings that contradict each other are no candidate. */
function policyOrNone(config: Config, choice: Choice): StopPolicy | undefined {
  try {
    return policyOf('candidate', config, nestedChoice(choice))
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function nestedChoice(choice: Choice): Readonly<Record<string, unknown>> {
  return nested(Object.entries(choice))
}

/** What is to be put into the configuration: whole groups, so that nothing of them is lost. */
function snippetOf(config: Config, choice: Choice): Readonly<Record<string, unknown>> {
  const changed = nestedChoice(choice)
  const whole: object = settingsOver(config, changed, 'the tuned settings')
  return Object.fromEntries(Object.keys(changed).map((key) => [key, Reflect.get(whole, key)]))
}

function textOf({ tuning, report, snippet }: Found, maxFalseStops: number): string {
  const { before, after, tried } = tuning
  const [, tuned] = report.policies
  const searched = `${tried} policies were tried on one half: calls saved ${percent(before.saved)} % → ${percent(after.saved)} %, runs lost ${percent(before.falseStops)} % → ${percent(after.falseStops)} %.`
  if (Object.keys(snippet).length === 0)
    return `${searched}\nNothing was better than the configuration as it is.\n`
  const asked = `at most ${percent(maxFalseStops)} %`
  const lost = tuned?.killedShare ?? 0
  const high = percent(tuned?.killedInterval.high ?? 1)
  const verdict =
    after.falseStops > maxFalseStops || lost > maxFalseStops
      ? `More runs are lost than asked for (${asked}): do not use these settings as they are.`
      : `No more runs are lost than asked for (${asked}); with so few runs, up to ${high} % cannot be ruled out.`
  return `${searched}\n\nOn the other half, which was not looked at:\n${reportText(report, false)}\n${verdict}\nFor the configuration, which is not changed by this:\n${JSON.stringify(snippet, null, 2)}\n`
}
