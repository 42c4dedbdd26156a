import { Buffer } from 'node:buffer'
import type { ChangedFile } from '../../analysis/patch/index.ts'

/**
 * Why a change may not be made although it could: the file is read-only, so somebody has said that it stays. Undefined: it
 * may. The mode alone may always be changed.
 */
export function readOnlyProblem({ path, before, after }: ChangedFile): string | undefined {
  if (before === null || (before.mode & 0o222) !== 0) return undefined
  const keepsContent = after !== null && Buffer.compare(before.bytes, after.bytes) === 0
  return keepsContent ? undefined : `${path} is read-only (mode ${before.mode.toString(8)})`
}
