import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/index.ts'
import { UsageError } from '../../errors.ts'
import { conduct } from '../conduct.ts'
import { reportFailure } from '../failure.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { RunFlags } from '../options.ts'
import { projectRulesNow, rulesNow } from '../rules.ts'
import { settingsOf, type Settings } from '../settings.ts'
import { storeFolderOf } from '../store-folder.ts'
import { assertStoreOutside } from '../store-outside.ts'
import { taskOf } from '../task.ts'

export async function runCommand(words: readonly string[], flags: RunFlags, io: CliIo): Promise<number> {
  const settings = await settingsOf(flags, io)
  try {
    return await run(words, settings, io)
  } catch (error) {
    return reportFailure(error, (settings.config.outputFormat ?? 'text') !== 'text', io)
  }
}

async function run(words: readonly string[], { workFolder, config }: Settings, io: CliIo): Promise<number> {
  if (!existsSync(workFolder) || !statSync(workFolder).isDirectory())
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
  const task = await taskOf(words, io)
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const store = openStore(config.store, workFolder, io)
  try {
    const kept = await withPolicyKept(config, workFolder, io)
    return await conduct({ config: kept, workFolder, store, io, past: [], begin: (loop) => loop.run(task) })
  } finally {
    await store.close()
  }
}

/** What may run is fixed at the start: whoever goes on may stand elsewhere, and the agent may have written into the files. */
async function withPolicyKept(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  return {
    ...config,
    keptRules: await rulesNow(config, io),
    keptProjectRules: await projectRulesNow(config, workFolder),
    ...(config.writable === undefined
      ? {}
      : { writable: config.writable.map((folder) => resolve(io.currentFolder, folder)) }),
  }
}
