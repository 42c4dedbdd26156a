import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ProcessGroup, standBy } from './group.ts'
import { start, whyNotStarted, type StartRequest } from './start.ts'
import { isUtf8 } from 'node:buffer'
import type { OutputExcerpt } from '@donecheck/core/internal/events/verdicts'
import { countUnfinishedBytes, OutputCollector, showExcerpt } from './excerpt.ts'

export interface ProcessRequest extends StartRequest {
  /** Null: no limit. */
  readonly timeoutMs: number | null
  readonly signal: AbortSignal
  /** Bytes kept of each end. */
  readonly headBytes: number
  readonly tailBytes: number
  /** Bytes up to which full output is kept. 0: none. */
  readonly keepBytes: number
  /** A waiting shell kills it when this process dies. For long processes that change the tree. */
  readonly endsWithUs?: true
  readonly onStarted?: (processId: number) => void
  readonly onOutput?: (piece: string, stream: StreamName) => void
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** Killed by a signal from elsewhere. */
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** Missing program or folder, or arguments too long; the problem is one sentence. */
  | { readonly kind: 'not-started'; readonly problem: string }

export interface ProcessResult extends Collected {
  readonly end: ProcessEnd
  readonly durationMs: number
}

/** Milliseconds to read on after the leader ended: a background process may hold our pipes forever. */
const drainMs = 200
/** SIGKILL does not end a process that hangs in the kernel or belongs to another user. */
const giveUpMs = 1_000
/** Node fires longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1

/** Runs a process and kills its group afterwards. The first cause of the end counts. Never rejects. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedMs = performance.now()
  const output = new ProcessOutput(request, request.onOutput)
  const end = request.signal.aborted ? { kind: 'aborted' as const } : await runChild(request, output)
  return { end, ...output.end(), durationMs: performance.now() - startedMs }
}

async function runChild(request: ProcessRequest, output: ProcessOutput): Promise<ProcessEnd> {
  const guard = request.endsWithUs === true ? standBy() : undefined
  let child: ChildProcess
  try {
    child = start(request)
    if (child.pid === undefined) throw await firstError(child)
  } catch (error) {
    guard?.dismiss()
    return { kind: 'not-started', problem: await whyNotStarted(error, request) }
  }
  guard?.watch(child.pid)
  const group = new ProcessGroup(child.pid)
  request.onStarted?.(child.pid)
  const closed = once(child, 'close').catch(() => undefined)
  child.stdout?.on('data', (bytes: Buffer) => output.add('stdout', bytes))
  child.stderr?.on('data', (bytes: Buffer) => output.add('stderr', bytes))
  const end = await endOf(child, group, request)
  await settlesWithin(closed, drainMs)
  await group.end()
  guard?.dismiss()
  await settlesWithin(closed, drainMs)
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.unref()
  return end
}

function firstError(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('error', resolve))
}

/** @returns false if it has not settled by then. Never rejects */
export function settlesWithin(awaited: Promise<unknown>, boundMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, boundMs, false)
  const onSettled = () => resolve(true)
  awaited.then(onSettled, onSettled)
  return promise.finally(() => clearTimeout(timer))
}

/** Resolves when the leader has ended, or does not end when killed. */
function endOf(
  child: ChildProcess,
  group: ProcessGroup,
  { signal, timeoutMs }: ProcessRequest,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    let cause: ProcessEnd | undefined
    const stop = (why: 'timed-out' | 'aborted') => {
      cause ??= { kind: why }
      void group.end().then(() => setTimeout(finish, giveUpMs, { kind: why }).unref())
    }
    const onAbort = () => stop('aborted')
    const timer =
      timeoutMs === null ? undefined : setTimeout(stop, Math.min(timeoutMs, maxTimerMs), 'timed-out')
    const finish = (end: ProcessEnd) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(cause ?? end)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    child.once('exit', (exitCode, killedBy) =>
      finish(
        exitCode === null
          ? { kind: 'signalled', signal: killedBy ?? 'unknown' }
          : { kind: 'exited', exitCode },
      ),
    )
  })
}

type StreamName = 'stdout' | 'stderr'

interface OutputBounds {
  readonly headBytes: number
  readonly tailBytes: number
  readonly keepBytes: number
}

interface Collected {
  /** Both streams in order of arrival. */
  readonly output: OutputExcerpt
  readonly stdout: OutputExcerpt
  /** False: invalid bytes became U+FFFD. */
  readonly stdoutIsUtf8: boolean
  /** Full output, or both ends with a line about omitted bytes if over `keepBytes`. */
  readonly whole?: string
}

/** Bounded output. Holds back incomplete characters, so the streams never mix within one. */
export class ProcessOutput {
  readonly #both: OutputCollector
  readonly #stdout: OutputCollector
  readonly #kept: OutputCollector | undefined
  readonly #onOutput: (piece: string, stream: StreamName) => void
  #stdoutIsUtf8 = true
  readonly #heldBack = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

  constructor(bounds: OutputBounds, onOutput: (piece: string, stream: StreamName) => void = () => undefined) {
    const { headBytes, tailBytes, keepBytes } = bounds
    this.#both = new OutputCollector(headBytes, tailBytes)
    this.#stdout = new OutputCollector(headBytes, tailBytes)
    const half = Math.ceil(keepBytes / 2)
    this.#kept = keepBytes > 0 ? new OutputCollector(half, keepBytes - half) : undefined
    this.#onOutput = onOutput
  }

  add(stream: StreamName, bytes: Buffer): void {
    const all = Buffer.concat([this.#heldBack[stream], bytes])
    const complete = all.length - countUnfinishedBytes(all)
    this.#heldBack[stream] = all.subarray(complete)
    this.#pass(stream, all.subarray(0, complete))
  }

  /** Flushes held-back bytes. */
  end(): Collected {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#pass(stream, this.#heldBack[stream])
      this.#heldBack[stream] = Buffer.alloc(0)
    }
    const collected = {
      output: this.#both.excerpt(),
      stdout: this.#stdout.excerpt(),
      stdoutIsUtf8: this.#stdoutIsUtf8,
    }
    return this.#kept === undefined ? collected : { ...collected, whole: showExcerpt(this.#kept.excerpt()) }
  }

  #pass(stream: StreamName, bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#both.add(bytes)
    this.#kept?.add(bytes)
    if (stream === 'stdout') {
      this.#stdout.add(bytes)
      this.#stdoutIsUtf8 &&= isUtf8(bytes)
    }
    try {
      this.#onOutput(bytes.toString(), stream)
    } catch {
      // Listener errors must not affect the process or us.
    }
  }
}
