import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** With every link followed, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
