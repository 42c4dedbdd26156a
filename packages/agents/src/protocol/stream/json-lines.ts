import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { OutputExcerpt } from '@donecheck/core/internal/events/verdicts'
import {
  OutputCollector,
  ProcessGroup,
  settlesWithin,
  standBy,
  startProcess,
  whyNotStarted,
  type StartRequest,
} from '@donecheck/engine/internal/system/process'

export interface JsonLinesProcess {
  /** Read on demand, so a verbose program is throttled. Iterable once. */
  readonly lines: AsyncIterable<JsonLine>
  /** Writes one line. False if the program no longer reads. Only with `keepsInputOpen`. */
  write(value: JsonValue): Promise<boolean>
  closeInput(): void
  /** Ends the full group, by force if necessary. Never rejects. */
  end(): Promise<void>
  onStderr(listener: (line: string) => void): void
  readonly ended: Promise<LinesEnd>
  readonly groupId: number | undefined
  /** Whether the program keeps this process alive. Default: yes. */
  hold(isHeld: boolean): void
}

export interface LinesEnd {
  readonly kind: 'exited' | 'signalled' | 'not-started'
  readonly exitCode: number | null
  /** Such as `it ended with exit code 3: …` with the end of stderr. One sentence without a full stop. */
  readonly problem: string
  readonly stderrTail: string
}

const keptStderrBytes = 8 * 1024
const shownStderr = 2000
/** A daemon in a session of its own may hold the pipe open, so it is closed this long after the exit. */
const drainMs = 200

const leaveMs = 2000

export async function waitForEnd(program: JsonLinesProcess): Promise<LinesEnd> {
  if (!(await settlesWithin(program.ended, leaveMs))) await program.end()
  return program.ended
}

/** Never throws: a program that cannot start has no lines and an explanatory end. */
export function startJsonLines(request: StartRequest): JsonLinesProcess {
  const stderr = new OutputCollector(0, keptStderrBytes)
  const guard = standBy()
  let child: ChildProcess
  try {
    child = startProcess(request)
  } catch (error) {
    guard.dismiss()
    return failToStart(whyNotStarted(error, request))
  }
  if (child.pid === undefined) {
    guard.dismiss()
    const error = new Promise<unknown>((resolve) => child.once('error', resolve))
    return failToStart(error.then((cause) => whyNotStarted(cause, request)))
  }
  guard.watch(child.pid)
  const group = new ProcessGroup(child.pid)
  const output = new PassThrough()
  child.stdout?.pipe(output)
  child.stderr?.on('data', (bytes: Buffer) => stderr.add(bytes))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // Processes left behind would keep changing the tree.
  void exited.then(() => group.end()).then(guard.dismiss)
  const drained = exited.then(async () => {
    // From now on without back-pressure: a reader that is slow must not lose the rest.
    child.stdout?.unpipe(output)
    child.stdout?.on('data', (bytes: Buffer) => output.write(bytes)).resume()
    await settlesWithin(closed, drainMs)
    child.stdout?.destroy()
    child.stderr?.destroy()
    output.end()
  })
  return {
    lines: readLines(output),
    write: (value) => writeLine(child, value),
    closeInput: () => child.stdin?.end(),
    groupId: child.pid,
    end: async () => {
      await group.end()
      await settlesWithin(drained, 2 * drainMs)
    },
    ended: drained.then(() => endOf(child, endOfText(stderr.excerpt()))),
    onStderr: (listener) => {
      if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', listener)
    },
    hold: (isHeld) => hold(child, isHeld),
  }
}

function failToStart(reason: Promise<string>): JsonLinesProcess {
  return {
    lines: noLines(),
    write: () => Promise.resolve(false),
    closeInput: () => undefined,
    groupId: undefined,
    end: () => Promise.resolve(),
    ended: reason.then((problem) => ({ kind: 'not-started', exitCode: null, problem, stderrTail: '' })),
    onStderr: () => undefined,
    hold: () => undefined,
  }
}

async function* noLines(): AsyncGenerator<JsonLine> {
  yield* []
}

function endOfText({ head, tail, omittedBytes }: OutputExcerpt): string {
  return omittedBytes === 0 ? head + tail : tail
}

function endOf({ exitCode, signalCode }: ChildProcess, stderrTail: string): LinesEnd {
  const how =
    exitCode === null ? `it was killed by ${signalCode ?? 'a signal'}` : `it ended with exit code ${exitCode}`
  const said = stderrTail.trim().slice(-shownStderr).toWellFormed()
  return {
    kind: exitCode === null ? 'signalled' : 'exited',
    exitCode,
    problem: said === '' ? how : `${how}; the end of its stderr: ${said}`,
    stderrTail,
  }
}

/** Splits by newlines alone, because JSON may contain the other line separators of Unicode. */
async function* readLines(output: Readable): AsyncGenerator<JsonLine> {
  const chunks: AsyncIterable<string> = output.setEncoding('utf8')
  let line = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    line += first
    for (const next of others) {
      yield* parseLine(line)
      line = next
    }
  }
  yield* parseLine(line)
}

function writeLine({ stdin }: ChildProcess, value: JsonValue): Promise<boolean> {
  if (stdin?.writable !== true) return Promise.resolve(false)
  return new Promise((resolve) => {
    stdin.write(`${JSON.stringify(value)}\n`, (error) => resolve(error === undefined || error === null))
  })
}

function hold(child: ChildProcess, isHeld: boolean): void {
  const pipes = [child.stdin, child.stdout, child.stderr]
  for (const part of [child, ...pipes]) {
    if (part === null) continue
    const method: unknown = Reflect.get(part, isHeld ? 'ref' : 'unref')
    if (typeof method === 'function') method.call(part)
  }
}

export type JsonLine =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** Not JSON; only its start. */
  | { readonly kind: 'noise'; readonly text: string }

const shownLength = 200

function parseLine(text: string): readonly JsonLine[] {
  if (text.trim() === '') return []
  try {
    return [{ kind: 'value', value: JSON.parse(text) as JsonValue }]
  } catch {
    return [{ kind: 'noise', text: text.slice(0, shownLength).trim() }]
  }
}
