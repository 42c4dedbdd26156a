import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { codeOf, messageOf } from '../../base/index.ts'

/** A shell line (`"$1"` is the first of `args`), or words without a shell. */
type ProcessCommand =
  | { readonly shell: string; readonly args?: readonly string[] }
  | { readonly words: readonly [string, ...string[]] }

export interface StartRequest {
  readonly command: ProcessCommand
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Uses exactly this environment without our marker, so a product cannot detect the check. */
  readonly isCheck?: true
  /** Leaves the input open for writing. */
  readonly keepsInputOpen?: true
}

/** Starts the leader of a process group and feeds its input. Throws or emits `error` if it cannot. */
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
  // Programs may ignore their input.
  child.stdin?.on('error', () => undefined)
  if (keepsInputOpen) child.stdin?.write(request.stdin ?? '')
  else child.stdin?.end(request.stdin)
  return child
}

function wordsOf(command: ProcessCommand): readonly [string, ...string[]] {
  // `line` names this shell in its messages, to distinguish it from nested ones.
  return 'words' in command ? command.words : ['sh', '-c', command.shell, 'line', ...(command.args ?? [])]
}

/** Explains it in one sentence. The system reports a missing folder like a missing program. */
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

/** Set for all processes except checks: one that has it belongs to a run and may not approve for it. */
export const runVariable = 'DONECHECK_MARK'

/** Hidden, because a process must not read how it is judged. */
const ownPrefix = 'DONECHECK_'

/** Files through which a GitHub Actions step sets outputs: checked code must not write its own result. */
const runnerFiles: ReadonlySet<string> = new Set([
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
])

/** Our environment without donecheck settings, the shell's and npm's command line, and CI runner files. */
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

/** Finds a program by path or on `PATH`. @returns undefined if not installed */
export function findProgram(
  program: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (program.includes('/')) return isRunnable(program) ? program : undefined
  // Relative entries would depend on the folder, such as the agent's.
  const places = (environment['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place))
  return places.map((place) => join(place, program)).find(isRunnable)
}
