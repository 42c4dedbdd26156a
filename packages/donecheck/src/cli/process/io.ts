import type { Readable, Writable } from 'node:stream'
import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { ResultLine } from '@donecheck/engine/report'

/** A terminal, a file, a pipe, or a collector of a test. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** A terminal that does not tell has none, or 0. */
export function knownColumns({ columns = 0 }: OutputStream, otherwise: number): number {
  return columns === 0 ? otherwise : columns
}

/** The world of the command, so that it can be run in a test without a process. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentFolder: string
  readonly homeFolder: string
  /** Whoever started the command in this process sees what comes of it, too. */
  readonly observer?: {
    event(event: RunEvent, state: RunState): void
    end(result: ResultLine): void
  }
}
