import { isAbsolute, normalize } from 'node:path'
import { UsageError } from '../../../../base/index.ts'
import { showValue } from '../../reports/reports.ts'

/**
 * A path of the user's configuration, without detours. Whether a symlink leads out is asked when it is read.
 * @throws {UsageError} for a path that is empty, absolute, or leads out of the work folder
 */
export function relativePath(path: string): string {
  const given: unknown = path
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) throw pathError(given)
  const normal = normalize(given).replace(/\/+$/, '')
  if (isAbsolute(given) || normal === '.' || normal === '..' || normal.startsWith('../'))
    throw pathError(given)
  return normal
}

function pathError(path: unknown): UsageError {
  return new UsageError(
    `the path ${showValue(path)} is no file of the work folder; give a path relative to the folder, without ".." out of it`,
  )
}
