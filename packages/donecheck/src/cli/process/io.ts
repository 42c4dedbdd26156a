import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { ResultLine } from '@donecheck/engine/report'

/** The world of the command, so that it can be run in a test without a process. */
export interface CliIo {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentFolder: string
  readonly homeFolder: string
  /** Whoever started the command in this process sees what comes of it, too. */
  readonly observer?: {
    event(event: RunEvent, state: RunState): void
    end(result: ResultLine): void
  }
}
