/** Where a path really leads, also one that does not exist yet. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Absolute, with every link followed; what does not exist yet keeps its name under the real path of what does. */
export function realPath(path: string): string {
  const absolute = resolve(path)
  try {
    return realpathSync.native(absolute)
  } catch {
    const parent = dirname(absolute)
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute))
  }
}
