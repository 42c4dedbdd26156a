import { readFileSync } from 'node:fs'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'

/** Permission bits of a new file as this process would make it. */
export function newFileMode(isExecutable = false): number {
  return (isExecutable ? 0o777 : 0o666) & ~ownUmask()
}

/** Patches only know whether a new file may be run; who else may read or write it is for this process to say. */
export function withNewFileModes(changes: ChangeSet): ChangeSet {
  return changes.map((change) =>
    isNew(change) ? { ...change, after: withoutModeBits(change.after) } : change,
  )
}

function isNew(change: ChangedFile): change is ChangedFile & { readonly after: FileImage } {
  return change.before === null && change.after !== null && change.movedFrom === undefined
}

function withoutModeBits(image: FileImage): FileImage {
  return { ...image, mode: newFileMode((image.mode & 0o100) !== 0) }
}

/** Asking Node would set it for a moment. Where the system does not tell it, nobody but the owner may write. */
function ownUmask(): number {
  try {
    const [, digits] = /^Umask:\s*([0-7]+)$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return digits === undefined ? 0o022 : Number.parseInt(digits, 8)
  } catch {
    return 0o022
  }
}
