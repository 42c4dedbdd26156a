import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/index.ts'
import { UsageError } from '@donecheck/engine/base'
import { conduct } from '../wiring/conduct.ts'
import { reportFailure } from '../failure.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../settings/open-store.ts'
import type { RunFlags } from '../options/flags.ts'
import { projectRulesNow, rulesNow } from '../wiring/rules.ts'
import { withTextsRead } from '../wiring/texts.ts'
import { resolveSettings, type Settings } from '../settings/settings.ts'
import { storeFolderOf } from '../settings/store-folder.ts'
import { assertStoreOutside } from '../settings/store-outside.ts'
import { readTask } from '../settings/task.ts'

export async function runCommand(words: readonly string[], flags: RunFlags, io: CliIo): Promise<number> {
  const settings = await resolveSettings(flags, io)
  try {
    return await run(words, settings, io)
  } catch (error) {
    return reportFailure(error, (settings.config.outputFormat ?? 'text') !== 'text', io)
  }
}

async function run(words: readonly string[], settings: Settings, io: CliIo): Promise<number> {
  const { workFolder, config } = settings
  assertRunnable(settings, io)
  const task = await readTask(words, io)
  const store = openStore(config.store, workFolder, io)
  try {
    const kept = await withPolicyKept(await withTextsRead(config, workFolder, io), workFolder, io)
    return await conduct({ config: kept, workFolder, store, io, past: [], begin: (loop) => loop.run(task) })
  } finally {
    await store.close()
  }
}

/** @throws {UsageError} for a work folder that is not there, and a store within it */
export function assertRunnable({ workFolder, config }: Settings, io: CliIo): void {
  if (!existsSync(workFolder) || !statSync(workFolder).isDirectory())
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
}

/** What may run is fixed at the start: whoever goes on may stand elsewhere, and the agent may have written into the files. */
export async function withPolicyKept(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  return {
    ...config,
    keptRules: await rulesNow(config, io),
    keptProjectRules: await projectRulesNow(config, workFolder),
    ...(config.writable === undefined
      ? {}
      : { writable: config.writable.map((folder) => resolve(io.currentFolder, folder)) }),
  }
}
