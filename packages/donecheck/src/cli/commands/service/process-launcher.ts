/** Runs of the service: each is this very command in a process of its own, which goes on when the service ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSea } from 'node:sea'
import { Option } from 'commander'
import { messageOf, realPath, UsageError } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'
import type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from '@donecheck/server'
import { toUsageError } from '../../process/usage-error.ts'
import { assertOwnModulesUnchanged } from '../../process/own-modules.ts'
import { ownProgram } from '../../agent-hooks/own-program.ts'

export interface LauncherSettings {
  /** Runs work there or below. */
  readonly workFolder: string
  /** A folder or a database. They have it from their environment: no list of processes shows a password. */
  readonly store: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** How each field of a request is typed. The task comes by standard input: it is as long as it likes, and no list of processes shows it. */
const flagOf: Readonly<Record<Exclude<keyof StartRequest, 'task' | 'workFolder'>, string>> = {
  until: '--until',
  presets: '--preset',
  agent: '--agent',
  model: '--model',
  labels: '--label',
  maxTurns: '--max-turns',
  maxModelCalls: '--max-model-calls',
  maxToolCalls: '--max-tool-calls',
  maxTokens: '--max-tokens',
  maxCostUsd: '--max-cost-usd',
  timeoutMs: '--max-seconds',
  completeWhen: '--complete-when',
  verifyWhen: '--verify-when',
  loopDetection: '--loop-detection',
  stagnation: '--stagnation',
}

export function processLauncher(settings: LauncherSettings): RunLauncher {
  return {
    start: async (runId, request) => {
      const { task, workFolder = '.', ...fields } = request
      const folder = folderWithin(settings.workFolder, workFolder)
      const words = ['run', '-', '--run-id', runId, ...wordsOf(fields)]
      return launch(words, task, folder, settings)
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

/** One word for a flag with its value: a value that looks like a flag stays a value. */
export function wordsOf(fields: Omit<StartRequest, 'task' | 'workFolder'>): readonly string[] {
  const values = valuesOf(fields)
  return Object.entries(flagOf).flatMap(([field, flag]) =>
    [values.get(field) ?? []].flat().map((value) => `${flag}=${value}`),
  )
}

/** The same under the names that the parser gives them, such as `maxTurns`. */
export function flagsOf(
  fields: Omit<StartRequest, 'task' | 'workFolder'>,
): Readonly<Record<string, unknown>> {
  const values = valuesOf(fields)
  return Object.fromEntries(
    Object.entries(flagOf).flatMap(([field, flag]) =>
      values.has(field) ? [[new Option(flag).attributeName(), values.get(field)] as const] : [],
    ),
  )
}

/** Times in seconds, as they are typed. */
function valuesOf({ timeoutMs, ...others }: Omit<StartRequest, 'task' | 'workFolder'>) {
  const given = { ...others, ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs / 1000 }) }
  return new Map<string, string | number | readonly string[]>(Object.entries(given))
}

export function topUpWords(topUp: TopUpRequest): readonly string[] {
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
  const common = ['--workdir', workFolder, '--quiet', '--output-format', 'text']
  const child = spawn(process.execPath, [...program, ...words, '--ask', 'page', ...common], {
    cwd: workFolder,
    env: { ...environment, DONECHECK_STORE: store },
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
