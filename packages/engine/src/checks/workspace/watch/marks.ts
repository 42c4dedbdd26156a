import { hash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { errorCodeOf } from '../tree/tree-entry.ts'
import type { Marks } from '../snapshots.ts'

const maxBytes = 64 * 1024 * 1024

/**
 * A text that is another one when the file is: kind, executable bit, and digest of the content or target. Undefined:
 * nothing is there.
 * @param follow look at what a symlink leads to, as whoever reads the file does
 */
export function readMark(path: string, follow = false): string | undefined {
  try {
    const stats = follow ? statSync(path) : lstatSync(path)
    if (stats.isSymbolicLink()) return `link ${hash('sha256', readlinkSync(path, 'buffer'))}`
    if (!stats.isFile()) return stats.isDirectory() ? 'folder' : 'other'
    const bits = (stats.mode & 0o111) === 0 ? 'file' : 'executable'
    return stats.size > maxBytes
      ? `${bits} of ${stats.size} bytes`
      : `${bits} ${hash('sha256', readFileSync(path))}`
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `closed ${code}`
  }
}

/** Of a link to a folder of the work tree. */
export function treeMark(folder: string): string {
  return `tree ${encodeURI(folder)}`
}

/** Undefined: it is no such mark. */
export function treeFolderOf(mark = ''): string | undefined {
  return mark.startsWith('tree ') ? decodeURI(mark.slice('tree '.length)) : undefined
}

export interface MarkChange {
  readonly name: string
  readonly kind: 'appeared' | 'changed' | 'gone'
}

/** What differs between two looks at the same things, by name. */
export function compareMarks(before: Marks, now: Marks): readonly MarkChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return names.flatMap((name): readonly MarkChange[] => {
    if (before[name] === now[name]) return []
    if (!Object.hasOwn(before, name)) return [{ name, kind: 'appeared' }]
    return [{ name, kind: Object.hasOwn(now, name) ? 'changed' : 'gone' }]
  })
}

/** What became of it, for a sentence. */
export const changeWords = { appeared: 'was added', changed: 'was changed', gone: 'was removed' } as const
