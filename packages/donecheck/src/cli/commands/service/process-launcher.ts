/** Runs of the service: each is this very command in a process of its own, which goes on when the service ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSea } from 'node:sea'
import { messageOf, realPath, UsageError } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'
import type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from '@donecheck/server'
import { variableOf } from '../../../config/index.ts'
import { toUsageError } from '../../process/failure.ts'
import { assertOwnModulesUnchanged } from '../../process/own-modules.ts'
import { ownProgram } from '../../agent-hooks/own-program.ts'

interface LauncherSettings {
  /** Runs work there or below. */
  readonly workFolder: string
  /** A folder or a database. They have it from their environment: no list of processes shows a password. */
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

/** Links are followed: one that leads out of the folder leads nowhere. */
function folderWithin(root: string, named: string): string {
  const folder = realPath(resolve(root, named))
  if (isInside(folder, root)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
    throw new UsageError(`the work folder ${folder} does not exist; create it, or name another`)
  }
  throw new UsageError(`workFolder must lie in ${root}, which the service was started for`)
}

/** What a request sets, under the keys of the configuration. */
export function configOfRequest({ timeoutMs, ...others }: StartFields): Readonly<Record<string, unknown>> {
  return { ...others, ...(timeoutMs === undefined ? {} : { maxSeconds: timeoutMs / 1000 }) }
}

/** By variables: no list of processes shows them, and not each key has a flag. */
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

/** Of what it says on standard error: enough for a sentence that tells what is wrong. */
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
    // A group of its own: Ctrl-C at the terminal of the service is not meant for runs.
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
