import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** For this user alone, whatever the umask says. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

/** All or nothing: a reader sees the earlier file or the new one. Readable for this user alone. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
