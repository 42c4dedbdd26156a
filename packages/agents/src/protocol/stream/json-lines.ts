import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
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
/** A background process may keep the pipe open, so this much silence after the exit is the end. */
const drainMs = 200
/** The limit if it keeps printing. */
const maxDrainMs = 2000

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
  // Node drains an unobserved stream at the exit; this listener prevents that.
  child.stdout?.on('readable', () => undefined)
  child.stderr?.on('data', (bytes: Buffer) => stderr.add(bytes))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // Processes left behind would keep changing the tree.
  void exited.then(() => group.end()).then(guard.dismiss)
  const end = async () => {
    await group.end()
    // Remaining output may still be read, but children that keep the pipe open must not block us.
    await settlesWithin(closed, drainMs)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  return {
    lines: readLines(child.stdout, exited),
    write: (value) => writeLine(child, value),
    closeInput: () => child.stdin?.end(),
    groupId: child.pid,
    end,
    ended: exited.then(async () => {
      await settlesWithin(closed, drainMs)
      return endOf(child, endOfText(stderr.excerpt()))
    }),
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

async function* readLines(stdout: Readable | null, exited: Promise<void>): AsyncGenerator<JsonLine> {
  if (stdout === null) return
  const splitter = new LineSplitter()
  for await (const bytes of readChunks(stdout, exited)) yield* splitter.add(bytes)
  yield* splitter.end()
}

async function* readChunks(stdout: Readable, exited: Promise<void>): AsyncGenerator<Buffer> {
  const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const quiet = new Quiet(exited)
  try {
    while (!quiet.isOver) {
      const next = await quiet.orFirst(chunks.next())
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    stdout.destroy()
  }
}

class Quiet {
  #hasExited = false
  #onExit: () => void = () => undefined
  #waitedMs = 0

  constructor(exited: Promise<void>) {
    void exited.then(() => {
      this.#hasExited = true
      this.#onExit()
    })
  }

  get isOver(): boolean {
    return this.#waitedMs >= maxDrainMs
  }

  orFirst<Value>(awaited: Promise<Value>): Promise<Value | undefined> {
    const { promise, resolve } = Promise.withResolvers<Value | undefined>()
    let timer: NodeJS.Timeout | undefined
    let sinceMs: number | undefined
    this.#onExit = () => {
      sinceMs = performance.now()
      timer = setTimeout(resolve, drainMs, undefined)
    }
    if (this.#hasExited) this.#onExit()
    awaited.then(resolve, () => resolve(undefined))
    return promise.finally(() => {
      clearTimeout(timer)
      this.#onExit = () => undefined
      if (sinceMs !== undefined) this.#waitedMs += performance.now() - sinceMs
    })
  }
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
  /** Not JSON, or too long; then only its start. */
  | { readonly kind: 'noise'; readonly text: string }

const maxLineBytes = 16 * 1024 * 1024
const shownBytes = 200

const newline = 0x0a

export class LineSplitter {
  readonly #longest: number
  #parts: Buffer[] = []
  #length = 0

  constructor(longest = maxLineBytes) {
    this.#longest = longest
  }

  *add(bytes: Buffer): Generator<JsonLine> {
    let rest = bytes
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#keep(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      yield* this.end()
    }
    this.#keep(rest)
  }

  *end(): Generator<JsonLine> {
    const text = Buffer.concat(this.#parts).toString()
    const isTooLong = this.#length > this.#longest
    this.#parts = []
    this.#length = 0
    if (isTooLong) yield { kind: 'noise', text: text.slice(0, shownBytes) }
    else if (text.trim() !== '') yield parseLine(text)
  }

  #keep(bytes: Buffer): void {
    const wasTooLong = this.#length > this.#longest
    this.#length += bytes.length
    if (wasTooLong || bytes.length === 0) return
    if (this.#length <= this.#longest) {
      this.#parts.push(bytes)
      return
    }
    // A copy, because a slice would retain the full chunk.
    const beginning = Buffer.concat([...this.#parts, bytes]).subarray(0, shownBytes)
    this.#parts = [Buffer.from(beginning)]
  }
}

function parseLine(text: string): JsonLine {
  try {
    return { kind: 'value', value: JSON.parse(text) as JsonValue }
  } catch {
    return { kind: 'noise', text: text.slice(0, shownBytes).trim() }
  }
}
