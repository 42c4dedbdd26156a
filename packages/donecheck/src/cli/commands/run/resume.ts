import { existsSync } from 'node:fs'
import type { Config } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/base'
import type { RunEvent } from '@donecheck/core/events'
import type { AgentLoop, TopUp } from '@donecheck/engine/compose'
import { conduct } from '../../wiring/loop/conduct.ts'
import { reportFailure } from '../../process/failure.ts'
import { findSummary, configFromRecipe } from '../../settings/recipe.ts'
import type { CliIo } from '../../process/io.ts'
import { withNamedStore } from '../../settings/store-folder.ts'
import { settingsWithoutFile, type Settings } from '../../settings/settings.ts'
import { outputFormatOf, type OutputFormat, type RunFlags, type StoreFlags } from '../../options/flags.ts'
import { topUpOfFlags } from '../../options/top-up.ts'

interface ResumeFlags extends RunFlags {
  readonly repair?: boolean
}

/** Reads everything from the record, so that changes by the agent since have no effect; flags may add. */
export async function resumeCommand(wanted: string, flags: ResumeFlags, io: CliIo): Promise<number> {
  const here = settingsWithoutFile(flags, io)
  try {
    const topUp = flags.topUp === undefined ? undefined : topUpOfFlags(flags.topUp)
    if (flags.repair === true)
      await (await import('../record/repair.ts')).repairCommand(wanted, storeOf(flags), io)
    return await resume(wanted, here, io, { topUp, format: outputFormatOf(flags) })
  } catch (error) {
    return reportFailure(error, outputFormatOf(flags) !== 'text', io)
  }
}

function storeOf({ store, workdir }: RunFlags): StoreFlags {
  return given({ store, workdir })
}

interface Resumption {
  readonly topUp: TopUp | undefined
  readonly format: OutputFormat
}

async function resume(
  wanted: string,
  here: Settings,
  io: CliIo,
  { topUp, format }: Resumption,
): Promise<number> {
  return withNamedStore(here.config.store, here.workFolder, io, async (store) => {
    const { runId, imported } = await findSummary(store, wanted)
    const past = await store.read(runId)
    const { config, workFolder } = recordedSettings(past, runId, here)
    // Its checks, agent and rules were written by somebody else.
    if (imported === true && here.config.yes !== true)
      throw new UsageError(
        `run ${runId} was imported: what it would run comes from the file; look at "donecheck show ${runId} --json", then resume it with --yes`,
      )
    const more = topUp === undefined ? {} : { topUp, by: '--top-up' }
    const begin = (loop: AgentLoop) => loop.resume(runId, more)
    return conduct({ config, workFolder, store, io, past, begin, format })
  })
}

/** Settings that may differ on resume. */
const ofThisProcess = ['store', 'allowConcurrent', 'yes', 'approval', 'trace'] as const

export function recordedSettings(past: readonly RunEvent[], runId: string, here: Settings) {
  const [first] = past
  if (first?.type !== 'run-started') throw new UsageError(`run ${runId} has no beginning`)
  const anew: Config = Object.fromEntries(
    ofThisProcess.flatMap((key) =>
      here.config[key] === undefined ? [] : [[key, here.config[key]] as const],
    ),
  )
  const workFolder = first.workFolder ?? here.workFolder
  if (!existsSync(workFolder)) throw new UsageError(`the work folder ${workFolder} of run ${runId} is gone`)
  const config = configFromRecipe(first.recipe, runId)
  // Adds to what the run may change already.
  const mayChange = [...(config.mayChange ?? []), ...(here.config.mayChange ?? [])]
  return { config: { ...config, ...anew, ...(mayChange.length > 0 ? { mayChange } : {}) }, workFolder }
}
