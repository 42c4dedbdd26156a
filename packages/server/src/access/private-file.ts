import { readFileSync, statSync } from 'node:fs'
import { messageOf, UsageError } from '@donecheck/engine/base'

/**
 * A file with secrets.
 * @throws {UsageError} where others can read it, or where it cannot be read
 */
export function readPrivateFile(path: string): string {
  try {
    const isOthers = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
    if (isOthers) throw new UsageError(`others can read ${path}; take it from them with "chmod 600 ${path}"`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
