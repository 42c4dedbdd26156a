import type { Readable, Writable } from 'node:stream'
import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { ResultLine } from '@donecheck/engine/report'

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Terminals may report 0. */
export function knownColumns({ columns = 0 }: OutputStream, otherwise: number): number {
  return columns === 0 ? otherwise : columns
}

export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentFolder: string
  readonly homeFolder: string
  readonly observer?: {
    event(event: RunEvent, state: RunState): void
    end(result: ResultLine): void
  }
}
