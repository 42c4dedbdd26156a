/** Paths of programs, resolved by their text alone: no file is looked at. */
import { posix } from 'node:path'

/** From where a path is resolved. */
export interface Place {
  /** Absolute. */
  readonly folder: string
  /** Absolute; what `~` stands for. Default: `~` is a name like any other. */
  readonly home?: string
}

/** Absolute, without `.` and `..`. */
export function absolutePath(path: string, { folder, home }: Place): string {
  if (home !== undefined && (path === '~' || path.startsWith('~/')))
    return posix.resolve(home, path.slice(2).replace(/^\/+/, ''))
  return posix.resolve(folder, path)
}

/** Given as a path, not as a name that is looked up. */
export const isPath = (program: string): boolean => program.includes('/')
