/** `donecheck completion SHELL`: a script for the shell; `suggest` is what that script asks. */
import type { Command } from 'commander'
import { hookedAgentNames } from '@donecheck/agents/registry'
import { nearest } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import { listedModels } from '@donecheck/engine/models'
import { existsSync } from 'node:fs'
import { knownDrives, presetNames } from '../../agents/survey.ts'
import { completionScripts } from '../../help/completion-scripts.ts'
import { completionsOf, type Completion } from '../../help/completions.ts'
import { oneLine } from '@donecheck/core/base'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/open-store.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { isDatabase, storeFolderOf } from '../../settings/store-folder.ts'

/** @throws {UsageError} for another shell */
export async function completionCommand(
  shell: string,
  words: readonly string[],
  program: Command,
  io: CliIo,
): Promise<number> {
  if (shell === 'suggest') {
    const found = await completionsOf(program, words, async (what) => lookUp(what, io))
    for (const { value, help } of found) io.stdout.write(`${value}\t${oneLine(help, 80)}\n`)
    return 0
  }
  const script = Object.entries(completionScripts).find(([name]) => name === shell)?.[1]
  if (script === undefined) throw new UsageError(unknownShell(shell))
  io.stdout.write(script)
  return 0
}

function unknownShell(shell: string): string {
  const names = Object.keys(completionScripts)
  const near = nearest(shell, names)
  return `there is no completion for "${shell}"; ${near === undefined ? `there is one for ${names.join(', ')}` : `did you mean ${near}?`}`
}

/** By the name of an argument, or of an option. */
async function lookUp(what: string, io: CliIo): Promise<readonly Completion[]> {
  switch (what) {
    case 'run':
      return [{ value: 'last', help: 'the latest' }, ...(await recordedRuns(io))]
    case 'preset':
      return presetNames.map(plainly)
    case 'agent':
      return [...new Set([...knownDrives, ...hookedAgentNames])].map(plainly)
    case 'model':
      return listedModels.map(plainly)
    case 'shell':
      return Object.keys(completionScripts).map(plainly)
    default:
      return []
  }
}

function plainly(value: string): Completion {
  return { value, help: '' }
}

const maxRuns = 20

/** Whoever presses Tab begins no record, and waits for no database. */
async function recordedRuns(io: CliIo): Promise<readonly Completion[]> {
  const { config, workFolder } = settingsWithoutFile({}, io)
  if (isDatabase(config.store) || !existsSync(storeFolderOf(config.store, workFolder, io))) return []
  return withStore({}, io, async (store) => {
    const runs = await store.list()
    return runs.slice(0, maxRuns).map(({ runId, outcome = 'not ended', task }) => ({
      value: runId,
      help: `${outcome}: ${task}`,
    }))
  })
}
