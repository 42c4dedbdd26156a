/** Each run of the service is this command in its own process, which outlives the service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSea } from 'node:sea'
import { messageOf, realPath, UsageError } from '@donecheck/engine/internal/base'
import { isInside } from '@donecheck/engine/store'
import type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from '@donecheck/server'
import { variableOf } from '../../../config/index.ts'
import { toUsageError } from '../../process/failure.ts'
import { assertOwnModulesUnchanged, ownProgram } from '../../process/own-modules.ts'

interface LauncherSettings {
  readonly workFolder: string
  /** Passed by environment: process lists show command lines. */
  readonly store: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

type StartFields = Omit<StartRequest, 'task' | 'workFolder'>

export function processLauncher(settings: LauncherSettings): RunLauncher {
  return {
    start: async (runId, request) => {
      const { task, workFolder = '.', ...fields } = request
      const folder = folderWithin(settings.workFolder, workFolder)
      const environment = { ...settings.environment, ...environmentOf(fields) }
      return launch(['run', '-', '--run-id', runId], task, folder, { ...settings, environment })
    },
    resume: async (runId, topUp) =>
      launch(['resume', runId, ...topUpWords(topUp)], '', settings.workFolder, settings),
  }
}

/** Follows links, so that none leads out of the folder. */
function folderWithin(root: string, named: string): string {
  const folder = realPath(resolve(root, named))
  if (isInside(folder, root)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
    throw new UsageError(`the work folder ${folder} does not exist; create it, or name another`)
  }
  throw new UsageError(`workFolder must lie in ${root}, which the service was started for`)
}

export function configOfRequest({ timeoutMs, ...others }: StartFields): Readonly<Record<string, unknown>> {
  return { ...others, ...(timeoutMs === undefined ? {} : { maxSeconds: timeoutMs / 1000 }) }
}

/** Uses variables: process lists do not show them, and not every key has a flag. */
function environmentOf(fields: StartFields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(configOfRequest(fields)).map(([key, value]) => [
      variableOf(key),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

function topUpWords(topUp: TopUpRequest): readonly string[] {
  const amounts = Object.entries(topUp).map(([name, amount]) => `${name}=${amount}`)
  return amounts.length === 0 ? [] : ['--top-up', amounts.join(',')]
}

/** Characters of standard error kept for a message. */
const keptCharacters = 2000

async function launch(
  words: readonly string[],
  input: string,
  workFolder: string,
  { store, environment }: LauncherSettings,
): Promise<LaunchedRun> {
  assertOwnModulesUnchanged()
  const program = isSea() ? [] : [ownProgram()]
  const common = ['--workdir', workFolder, '--quiet']
  const child = spawn(process.execPath, [...program, ...words, ...common], {
    cwd: workFolder,
    env: { ...environment, DONECHECK_STORE: store, DONECHECK_ASK: 'page' },
    // Its own process group: Ctrl-C stops only the service.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await once(child, 'spawn').catch(
    toUsageError((error) => `no process can be started for it: ${messageOf(error)}`),
  )
  child.unref()
  child.stdin.on('error', () => undefined).end(input)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said = `${said}${piece}`.slice(-keptCharacters)
  })
  return {
    ended: once(child, 'close').then(
      ([exitCode]) => said.trim() || `it ended with exit code ${String(exitCode)}`,
    ),
  }
}
