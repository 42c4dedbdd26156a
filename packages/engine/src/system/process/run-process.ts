import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { standBy } from './end-with-us.ts'
import { ProcessGroup } from './group.ts'
import { ProcessOutput, type Collected, type StreamName } from './output.ts'
import { start, whyNotStarted, type StartRequest } from './start.ts'

export interface ProcessRequest extends StartRequest {
  /** Null: no bound. */
  readonly timeoutMs: number | null
  readonly signal: AbortSignal
  /** Bytes of the output's two ends that are kept. */
  readonly headBytes: number
  readonly tailBytes: number
  /** The whole output is kept as well, up to so many bytes. 0: it is not. */
  readonly keepBytes: number
  /**
   * It is killed when this process is, by whatever: a shell stands by for that. For what may run for long and works on the tree.
   */
  readonly endsWithUs?: true
  /** Called before anything of its output is read. */
  readonly onStarted?: (processId: number) => void
  /** Called with whole characters while they come in. */
  readonly onOutput?: (piece: string, stream: StreamName) => void
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** Killed by a signal that we did not send. */
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** No such program, no such folder, arguments too long; the problem is one sentence. */
  | { readonly kind: 'not-started'; readonly problem: string }

export interface ProcessResult extends Collected {
  readonly end: ProcessEnd
  readonly durationMs: number
}

/** A background process may hold our pipes open for ever: after the leader has ended we read on for so long. */
const drainMs = 200
/** Not even SIGKILL ends a process that hangs in the kernel or belongs to another user. */
const giveUpMs = 1_000
/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** Runs one process in its own group and leaves nothing of the group behind. The first cause of its end wins. Never rejects. */
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
  await closedWithin(closed)
  await group.end()
  guard?.dismiss()
  await closedWithin(closed)
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.unref()
  return end
}

function firstError(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('error', resolve))
}

async function closedWithin(closed: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  await Promise.race([closed, pause(drainMs, undefined, { signal: timer.signal }).catch(() => undefined)])
  timer.abort()
}

/** Resolves when the leader has ended, or has been killed and does not end. */
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
