import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import { UsageError } from '@donecheck/engine/internal/base'
import type { ResultLine } from '@donecheck/engine/display'

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

/** Absolute. @throws {UsageError} if it does not exist */
export function resolveWorkFolder(workdir: string | undefined, { currentFolder }: CliIo): string {
  if (workdir === '') throw new UsageError('--workdir is empty; name a folder, or leave it out')
  const folder = resolve(currentFolder, workdir ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new UsageError(`the work folder ${folder} does not exist; name another with --workdir`)
}

/** Whether a person can be asked: answers come from stdin, questions go to stderr. */
export function isAtTerminal({ stdin, stderr }: Partial<Pick<CliIo, 'stdin' | 'stderr'>>): boolean {
  return stdin?.isTTY === true && stderr?.isTTY === true
}
