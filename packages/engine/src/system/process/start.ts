import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { codeOf, messageOf } from '../../base/index.ts'

/** A line for the shell (`"$1"` is the first of `args`), or words to run without one. */
type ProcessCommand =
  | { readonly shell: string; readonly args?: readonly string[] }
  | { readonly words: readonly [string, ...string[]] }

export interface StartRequest {
  readonly command: ProcessCommand
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: string
  /** It gets exactly this environment, without the variable that says who started it: a product could behave well only while it is checked. */
  readonly isCheck?: true
  /** Its input stays open for whoever writes to it. */
  readonly keepsInputOpen?: true
}

/**
 * Starts the leader of a new process group, its input fed and, unless it stays open, closed. What cannot be started at all is thrown here or
 * comes as the child's `error` event.
 */
export function start(request: StartRequest): ChildProcess {
  const environment =
    request.isCheck === true ? request.environment : { ...request.environment, [runVariable]: 'run' }
  const [program, ...args] = wordsOf(request.command)
  const keepsInputOpen = request.keepsInputOpen === true
  const child = spawn(program, args, {
    cwd: request.folder,
    env: environment,
    detached: true,
    stdio: [request.stdin === undefined && !keepsInputOpen ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // A program that does not read its input breaks the pipe: its own right.
  child.stdin?.on('error', () => undefined)
  if (keepsInputOpen) child.stdin?.write(request.stdin ?? '')
  else child.stdin?.end(request.stdin)
  return child
}

function wordsOf(command: ProcessCommand): readonly [string, ...string[]] {
  // `line` is how this shell names itself in its messages, which tells it from the shells that the line starts.
  return 'words' in command ? command.words : ['sh', '-c', command.shell, 'line', ...(command.args ?? [])]
}

/** Why it was not started, in one sentence. The system says the same of a missing folder and a missing program. */
export async function whyNotStarted(error: unknown, { command, folder }: StartRequest): Promise<string> {
  const [program] = wordsOf(command)
  const place = await stat(folder).catch(() => undefined)
  if (place === undefined) return `the folder ${folder} does not exist or cannot be read`
  if (!place.isDirectory()) return `${folder} is not a folder`
  switch (codeOf(error)) {
    case 'ENOENT':
      return `there is no program "${program}"`
    case 'EACCES':
      return `"${program}" may not be executed, or ${folder} may not be entered`
    case 'E2BIG':
      return 'its arguments and environment are longer than the system allows'
    default:
      return messageOf(error)
  }
}

/** Set for whatever donecheck starts, but for checks: who finds it works for a run, and may not approve for it. */
export const runVariable = 'DONECHECK_MARK'

/** Our own settings: what runs must not read how it is judged. */
const ownPrefix = 'DONECHECK_'

/** Files through which a step of GitHub Actions sets outputs and variables: what is checked is not to write its own result. */
const runnerFiles: ReadonlySet<string> = new Set([
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
])

/**
 * What a process inherits unless it is given another environment: the variables of this one without our own, without those
 * in which a shell or npm names the command line of donecheck, and without the files of a CI runner.
 */
export function inheritedEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isOfThisProgram(entry[0], entry[1]),
  )
  return Object.fromEntries(inherited)
}

function isOfThisProgram(name: string, value: string): boolean {
  const isLauncher = name === '_' || name.startsWith('npm_')
  return name.startsWith(ownPrefix) || runnerFiles.has(name) || (isLauncher && /donecheck/i.test(value))
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Where a program stands that is started by this name.
 * @param program a path, or a name to look up on `PATH`
 * @returns undefined if it is not installed
 */
export function findProgram(
  program: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (program.includes('/')) return isRunnable(program) ? program : undefined
  // A place that is not absolute would be another one in another folder: the agent's, for instance.
  const places = (environment['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place))
  return places.map((place) => join(place, program)).find(isRunnable)
}
