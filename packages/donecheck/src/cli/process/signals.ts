import { exitCodeOf } from '@donecheck/core/internal/decide/stops'
import { killAllProcesses } from '@donecheck/engine/internal/system/process'
import type { CliIo } from './io.ts'

export interface Interrupts {
  readonly signal: AbortSignal
  /** Raw mode sends no signal for Ctrl-C. */
  readonly interrupt: (name: string) => void
  readonly dispose: () => void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param onSecond ends the process */
export function listenForInterrupts(onFirst: (name: string) => void, onSecond: () => void): Interrupts {
  const controller = new AbortController()
  const interrupt = (name: string): void => {
    if (controller.signal.aborted) {
      onSecond()
      return
    }
    controller.abort(name)
    onFirst(name)
  }
  for (const name of signals) process.on(name, interrupt)
  return {
    signal: controller.signal,
    interrupt,
    dispose() {
      for (const name of signals) process.off(name, interrupt)
    },
  }
}

/** Runs the work with a signal that the first interrupt aborts; the second one exits at once. */
export async function interruptible<Value>(
  { stderr }: Pick<CliIo, 'stderr'>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const interrupts = listenForInterrupts(
    () => stderr.write('stopping; once more ends it at once\n'),
    () => {
      killAllProcesses()
      process.exit(exitCodeOf.interrupted)
    },
  )
  try {
    return await work(interrupts.signal)
  } finally {
    interrupts.dispose()
  }
}
