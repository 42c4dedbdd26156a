/** A program in a process group of its own, watched. What it leaves behind is its place's business. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as textFrom } from 'node:stream/consumers'
import type { Environment } from './environment.ts'

export interface Ended {
  /** Null: a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order of writing: for what may be in either. */
  readonly output: string
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Resolves once stdout or stderr holds the text; rejects where the program ends without it. */
  shows(expected: string): Promise<void>
  /** Writes a line to its standard input; only with `holdsInput`. */
  write(line: string): void
  endInput(): void
  /** The whole group. */
  kill(signal?: NodeJS.Signals): void
}

export interface ProgramOptions {
  readonly folder: string
  readonly environment: Environment
  readonly input?: string
  /** Standard input stays open. */
  readonly holdsInput?: boolean
  /** Kills the group. */
  readonly signal?: AbortSignal
  /** Then the group is killed. Default: 170 s, a little less than a test may take, so that what hangs is shown. */
  readonly patienceMs?: number
}

const usualPatienceMs = 170_000

export function startProgram(program: string, words: readonly string[], options: ProgramOptions): Running {
  const child = spawn(program, words, {
    cwd: options.folder,
    env: options.environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  if (options.holdsInput !== true) child.stdin.end(options.input ?? '')
  const { pid } = child
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
    if (pid !== undefined) killGroup(pid, signal)
  }
  const limit = AbortSignal.timeout(options.patienceMs ?? usualPatienceMs)
  const stop = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
  const onStop = () => kill()
  stop.addEventListener('abort', onStop)
  const watch = watchFor()
  child.stdout.setEncoding('utf8').on('data', watch.look)
  child.stderr.setEncoding('utf8').on('data', watch.look)
  const ended = end(child).finally(() => {
    stop.removeEventListener('abort', onStop)
    watch.end()
  })
  ended.catch(() => undefined)
  return {
    pid: pid ?? -1,
    ended,
    shows: watch.shows,
    write: (line) => void child.stdin.write(`${line}\n`),
    endInput: () => void child.stdin.end(),
    kill,
  }
}

async function end(child: ReturnType<typeof spawn>): Promise<Ended> {
  const { stdout: out, stderr: error } = child
  let output = ''
  if (out === null || error === null) throw new TypeError('the child has no pipes')
  for (const stream of [out, error]) stream.on('data', (piece: string) => (output += piece))
  const [stdout, stderr, [exitCode, signal]] = await Promise.all([
    textFrom(out),
    textFrom(error),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  return { exitCode, signal, stdout, stderr, output }
}

function watchFor() {
  let seen = ''
  let isOver = false
  const waiting: { expected: string; resolve: () => void; reject: (error: Error) => void }[] = []
  const missed = (expected: string) => new Error(`the program ended without showing "${expected}":\n${seen}`)
  const look = (piece: string) => {
    seen += piece
    for (const { expected, resolve } of waiting) if (seen.includes(expected)) resolve()
  }
  const end = () => {
    isOver = true
    for (const { expected, reject } of waiting) reject(missed(expected))
  }
  return {
    look,
    end,
    shows: (expected: string) =>
      new Promise<void>((resolve, reject) => {
        if (seen.includes(expected)) resolve()
        else if (isOver) reject(missed(expected))
        else waiting.push({ expected, resolve, reject })
      }),
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone.
  }
}
