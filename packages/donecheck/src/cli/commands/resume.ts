import { existsSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { parseConfig } from '../../config/index.ts'
import { conduct } from '../conduct.ts'
import { findRun } from '../find-run.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import { configFromFlags, type RunFlags } from '../options.ts'
import { configFromRecipe } from '../recipe.ts'
import { settingsOf } from '../settings.ts'

/** Everything comes from the record, so that what the agent has changed meanwhile changes nothing; flags may add. */
export async function resumeCommand(wanted: string, flags: RunFlags, io: CliIo): Promise<number> {
  const here = await settingsOf(flags, io)
  const store = openStore(here.config.store, here.workFolder, io)
  try {
    const runId = await findRun(store, wanted)
    const past = await store.read(runId)
    const [first] = past
    if (first?.type !== 'run-started') throw new UsageError(`run ${runId} has no beginning`)
    const recorded = configFromRecipe(first.recipe, runId)
    const config = { ...recorded, ...parseConfig(configFromFlags(flags), 'flags') }
    const workFolder = first.workFolder ?? here.workFolder
    if (!existsSync(workFolder)) throw new UsageError(`the work folder ${workFolder} of run ${runId} is gone`)
    return await conduct({ config, workFolder, store, io, past, begin: (loop) => loop.resume(runId) })
  } finally {
    await store.close()
  }
}
