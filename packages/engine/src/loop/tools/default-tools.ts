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
  /** File tools cannot leave it; shell commands can, so they are asked for. */
  readonly workFolder: string
  /** Default per command: 120 s. */
  readonly shellTimeoutMs?: number
  /** Longest timeout a command may request. Default: 600 s, or `shellTimeoutMs` if longer. */
  readonly maxShellTimeoutMs?: number
  /** For commands. Default: this process without keys and tokens. `DONECHECK_*` is never passed on. */
  readonly environment?: Readonly<Record<string, string>>
  /** Confines commands. Default: none. */
  readonly sandbox?: Sandbox
}

const keys = optionKeys<DefaultToolsOptions>()(
  'workFolder! shellTimeoutMs maxShellTimeoutMs environment sandbox',
)

/** Tools to read, write, edit, list, search and run commands. @throws {UsageError} for an invalid time */
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
