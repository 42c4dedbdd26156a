import { randomUUID } from 'node:crypto'
import type { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Whoever reads the file sees the old content or the new, never a part. Its folder must exist. A symlink in its place
 * is replaced, not followed.
 * @param mode permission bits to keep; undefined for those of a new file
 */
export async function writeAtomically(
  absolute: string,
  bytes: Buffer,
  mode: number | undefined,
): Promise<void> {
  const temporary = join(dirname(absolute), `.donecheck-${randomUUID()}.tmp`)
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const handle = await open(temporary, flags, 0o666)
    try {
      if (mode !== undefined) await handle.chmod(mode)
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, absolute)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
