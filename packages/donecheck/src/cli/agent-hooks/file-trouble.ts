/** What the file system refused, as a mistake that a person can mend. */
import { UsageError } from '../../errors.ts'

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it is a link that leads nowhere: mend it, or take it away',
  EACCES: 'permission denied: change its owner or its mode, or those of its folder',
  EPERM: 'not permitted: it may be locked, or belong to somebody else: change that',
  EROFS: 'the file system is read-only: another scope (--scope) may lie on another one',
  ENOSPC: 'no space is left on the device: make some, then try again',
  EDQUOT: 'your quota of the device is used up: make some space, then try again',
  ENOTDIR: 'something on the way to it is no folder: move that out of the way',
  EEXIST: 'something on the way to it is no folder: move that out of the way',
  EISDIR: 'it is a folder: move that out of the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** The error itself where it does not come from the file system. */
export function fileTrouble(file: string, doing: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || error instanceof UsageError || !/^E[A-Z0-9]+$/u.test(code)) return error
  return new UsageError(
    `${file} cannot be ${doing} (${code}: ${meanings[code] ?? 'the file system refused'})`,
    {
      cause: error,
    },
  )
}
