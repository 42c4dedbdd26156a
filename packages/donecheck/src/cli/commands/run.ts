import { text } from 'node:stream/consumers'
import { existsSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { conduct } from '../conduct.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { RunFlags } from '../options.ts'
import { settingsOf } from '../settings.ts'

export async function runCommand(words: readonly string[], flags: RunFlags, io: CliIo): Promise<number> {
  const { workFolder, config } = await settingsOf(flags, io)
  if (!existsSync(workFolder))
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
  const task = await taskOf(words, io)
  const store = openStore(config.store, workFolder, io)
  try {
    return await conduct({ config, workFolder, store, io, past: [], begin: (loop) => loop.run(task) })
  } finally {
    await store.close()
  }
}

async function taskOf(words: readonly string[], io: CliIo): Promise<string> {
  const task = words.length === 1 && words[0] === '-' ? await text(io.stdin) : words.join(' ')
  if (task.trim() === '') throw new UsageError('the task is empty; say what is to be done')
  return task.trim()
}
