/** The folder of the work as it really lies, behind any link. */
import { realpathSync, statSync } from 'node:fs'
import { UsageError } from '../../../base/index.ts'

/** @throws {UsageError} for what is no folder */
export function resolveWorkFolder(folder: string | null): string | null {
  if (folder === null) return null
  try {
    const real = realpathSync(folder)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new UsageError(`the work folder ${folder} does not exist; create it, or name another`)
  }
  throw new UsageError(`the work folder ${folder} is not a folder`)
}
