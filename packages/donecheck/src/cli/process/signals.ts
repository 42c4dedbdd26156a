/** Ctrl-C and friends: the first asks the run to stop, the second ends everything at once. */
import { exitCodeOf } from '@donecheck/core/stops'
import { killAllProcesses } from '@donecheck/engine/process'
import type { CliIo } from './io.ts'

export interface Interrupts {
  readonly signal: AbortSignal
  /** As if that signal had come: a terminal in raw mode sends none for Ctrl-C. */
  readonly interrupt: (name: string) => void
  readonly dispose: () => void
}

/** The last one comes when the terminal goes away. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param onSecond ends the process; what was recorded until then is on disk already */
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

/** For a command whose end is no run's: the first interrupt says that it stops, the second ends it with all that it has started. */
export function stopAtInterrupts({ stderr }: Pick<CliIo, 'stderr'>): Interrupts {
  return listenForInterrupts(
    () => stderr.write('stopping; once more ends it at once\n'),
    () => {
      killAllProcesses()
      process.exit(exitCodeOf.interrupted)
    },
  )
}
