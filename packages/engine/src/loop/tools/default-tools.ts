import { resolve } from 'node:path'
import { UsageError, assertKnownKeys, assertText, given, optionKeys } from '../../base/index.ts'
import { inheritedEnvironment } from '../../system/process/index.ts'
import { isSecretName } from '../../system/sandbox/index.ts'
import type { Sandbox } from '../../ports/gate.ts'
import type { Tool } from '../../ports/loop.ts'
import { applyPatchTool, editFileTool, writeFileTool } from './change/change-tools.ts'
import { listFilesTool } from './search/list-files.ts'
import { readFileTool } from './read-file.ts'
import { runShellTool } from './shell/run-shell.ts'
import { searchTextTool } from './search/search-text.ts'

interface DefaultToolsOptions {
  /** File tools reach nothing outside of it. A shell command does: it is asked for, not confined. */
  readonly workFolder: string
  /** For a command that does not say. Default 120 s. */
  readonly shellTimeoutMs?: number
  /** The longest time a command may ask for. Default 600 s, or `shellTimeoutMs` where that is longer. */
  readonly maxShellTimeoutMs?: number
  /** Of commands. Default: that of this process, without keys and tokens. Variables `DONECHECK_*` are never passed on. */
  readonly environment?: Readonly<Record<string, string>>
  /** Commands run in it. Default: they are not confined. */
  readonly sandbox?: Sandbox
}

const keys = optionKeys<DefaultToolsOptions>()(
  'workFolder! shellTimeoutMs maxShellTimeoutMs environment sandbox',
)

/**
 * What a model needs to work in a folder: read, write, edit, list, search, and run commands.
 * @throws {UsageError} for a time that is no positive number
 */
export function defaultTools(options: DefaultToolsOptions): readonly Tool[] {
  assertKnownKeys(options, keys, 'defaultTools')
  assertText(options.workFolder, 'workFolder', `a path: defaultTools({ workFolder: '.' })`)
  const workFolder = resolve(options.workFolder)
  const environment = options.environment ?? environmentWithoutSecrets()
  const timeoutMs = positive('shellTimeoutMs', options.shellTimeoutMs ?? 120_000)
  const longestMs = options.maxShellTimeoutMs ?? Math.max(600_000, timeoutMs)
  const maxTimeoutMs = positive('maxShellTimeoutMs', longestMs)
  return [
    readFileTool(workFolder),
    writeFileTool(workFolder),
    editFileTool(workFolder),
    applyPatchTool(workFolder),
    listFilesTool(workFolder),
    searchTextTool(workFolder),
    runShellTool({
      workFolder,
      timeoutMs,
      maxTimeoutMs,
      environment,
      ...given({ sandbox: options.sandbox }),
    }),
  ]
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new UsageError(`${name} is ${value}; give a positive number of milliseconds`)
}

function environmentWithoutSecrets(): Record<string, string> {
  return Object.fromEntries(Object.entries(inheritedEnvironment()).filter(([name]) => !isSecretName(name)))
}
