import { existsSync, statSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { conduct } from '../conduct.ts'
import { reportFailure } from '../failure.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { RunFlags } from '../options.ts'
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
    return await conduct({ config, workFolder, store, io, past: [], begin: (loop) => loop.run(task) })
  } finally {
    await store.close()
  }
}
