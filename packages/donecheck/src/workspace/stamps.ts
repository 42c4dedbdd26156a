import { lstatSync } from 'node:fs'
import type { FilePath } from './byte-path.ts'

/**
 * A text that is another one once the file was written to, replaced, or written and put back: nobody can set the time
 * of its last change. Undefined: nothing is there.
 * @throws the system's error for what is there and cannot be looked at
 */
export function stampOf(file: FilePath): string | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined
    ? undefined
    : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode].join(' ')
}
