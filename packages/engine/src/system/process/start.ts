import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { codeOf, messageOf } from '../../base/index.ts'
import { markedEnvironment } from './environment.ts'
import { markingWords } from './mark.ts'

/** A line for the shell (`"$1"` is the first of `args`), or words to run without one. */
export type ProcessCommand =
  | { readonly shell: string; readonly args?: readonly string[] }
  | { readonly words: readonly [string, ...string[]] }

export interface StartRequest {
  readonly command: ProcessCommand
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: string
  /** It gets exactly this environment, without the variable that marks what donecheck starts. */
  readonly isCheck?: true
  /** Its input stays open for whoever writes to it. */
  readonly keepsInputOpen?: true
}

/**
 * Starts the leader of a new process group, its input fed and, unless it stays open, closed. What cannot be started at all is thrown here or
 * comes as the child's `error` event.
 */
export function start(request: StartRequest): ChildProcess {
  const environment = request.isCheck === true ? request.environment : markedEnvironment(request.environment)
  const [program, ...args] = markingWords(wordsOf(request.command), request.folder, environment)
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
