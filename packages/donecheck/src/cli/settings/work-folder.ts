import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../process/io.ts'

/** Absolute. @throws {UsageError} if it does not exist */
export function resolveWorkFolder(workdir: string | undefined, { currentFolder }: CliIo): string {
  if (workdir === '') throw new UsageError('--workdir is empty; name a folder, or leave it out')
  const folder = resolve(currentFolder, workdir ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new UsageError(`the work folder ${folder} does not exist; name another with --workdir`)
}
