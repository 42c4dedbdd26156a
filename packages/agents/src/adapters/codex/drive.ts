import { realpathSync } from 'node:fs'
import { cliDriveKeys, streamedDrive, type CliDriveOptions } from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { appServerTurns } from './app-server.ts'
import { isConfined, readAppServerWords } from './app-server-arguments.ts'
import { assertKnownKeys } from '@donecheck/engine/base'

/** Its words are options of Codex, which win over what we would choose. */
export type CodexDriveOptions = CliDriveOptions

/**
 * Codex as an outer loop over `codex app-server`, each turn a process of its own in one thread: Codex asks before every command
 * and change, and our gate answers; what each reply of the model has used is known while the turn goes on, so that caps hold
 * within it; a turn is interrupted in order; and goals are seen, which Codex would otherwise pursue by itself without an end and
 * call complete without a check. It dies with us.
 *
 * @throws {UsageError} for words that the app-server cannot take, and a bound that can never work
 */
export function codexDrive(options: CodexDriveOptions): Drive {
  assertKnownKeys(options, cliDriveKeys, 'codexDrive')
  const { timeoutMs, words = [], environment = inheritedEnvironment() } = options
  const choices = readAppServerWords(words)
  const drive = streamedDrive({
    description: {
      name: 'codex',
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 32_000,
      contextWindowTokens: 258_400,
    },
    tellsSteps: true,
    timeoutMs,
    startTurn: appServerTurns({ folder: realFolder(options.folder), environment, choices }),
  })
  if (drive.own === undefined) return drive
  return { ...drive, own: { ...drive.own, sandbox: { isConfined: isConfined(choices) } } }
}

/** Codex names files by their real place. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
