/** The folder of the work as it really lies, behind any link, and apart from the record. */
import { realpathSync, statSync } from 'node:fs'
import { UsageError } from '../../../base/index.ts'
import { isInside } from '../../../system/store/index.ts'

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

/**
 * The agent could edit its own record there. And a process that reads a database as one more file of the tree loses its locks:
 * the next writer takes the memory that they share away from under it, and it dies.
 * @throws {UsageError}
 */
export function assertStoreOutside(storeFolder: string | null, workFolder: string | null): void {
  if (storeFolder === null || workFolder === null || !isInside(storeFolder, workFolder)) return
  throw new UsageError(
    `the store ${storeFolder} is inside the work folder ${workFolder}; open one in a folder outside of it`,
  )
}
