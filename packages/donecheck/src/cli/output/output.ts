import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { ResultLine } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'

/** How a run is shown while it goes on and when it ends. */
export interface Output {
  text(piece: string): void
  event(event: RunEvent, state: RunState): void
  notice(message: string): void
  /** The run has ended, or its process is about to: the last thing that is written. */
  end(result: ResultLine): void
  /** Lets go of timers and of the status line. */
  close(): void
}

/** What an observer of the command is told as well. */
export function observed(output: Output, { observer }: CliIo): Output {
  if (observer === undefined) return output
  return {
    ...output,
    event(event, state) {
      output.event(event, state)
      observer.event(event, state)
    },
    end(result) {
      output.end(result)
      observer.end(result)
    },
  }
}

/** What stays of a run for people: notices, and how it ended. */
export function quietOutput(output: Output): Output {
  return {
    text: () => undefined,
    event(event, state) {
      if (event.type === 'run-stopped') output.event(event, state)
    },
    notice: (message) => output.notice(message),
    end: (result) => output.end(result),
    close: () => output.close(),
  }
}
