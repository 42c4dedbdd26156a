import { exitCodeOf } from '@donecheck/core/stops'
import { killAllProcesses } from '@donecheck/engine/process'
import type { CliIo } from './io.ts'
import { listenForInterrupts, type Interrupts } from './signals.ts'

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
