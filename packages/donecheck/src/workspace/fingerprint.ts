import { resolve } from 'node:path'
import type { Workspace } from '../ports.ts'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'
import { readDeclared } from './declared-files.ts'
import { readTree } from './read-tree.ts'
import { digestOfTree } from './tree-entry.ts'

/**
 * The work tree as one digest (SHA-256, hex) over path, kind, executable bit and content of its files. In a git
 * repository these are the tracked files and the untracked ones that are not ignored, submodules included; elsewhere all
 * files outside of `.git` and `node_modules`. Only what is below the folder counts. Times, owners, empty folders, the
 * index and commits do not count.
 *
 * With `files`, exactly what these globs match counts, ignored files too; a glob that begins with `!` takes away.
 *
 * `fingerprint` rejects with the signal's reason after an abort, and for nothing else: what cannot be read is a part
 * of the fingerprint, as unreadable.
 */
export function gitOrWalkWorkspace(folder: string, reader: ContentReader = fileReader): Workspace {
  const absolute = resolve(folder)
  const [whole, declared] = [new ContentDigests(reader), new ContentDigests(reader)]
  return {
    folder: absolute,
    async fingerprint(signal, { files } = {}) {
      signal.throwIfAborted()
      if (files !== undefined)
        return digestOfTree(await readDeclared(absolute, files, declared, signal), headingOf(files))
      const entries = await readTree(absolute, whole, signal)
      whole.keepOnly(entries)
      return digestOfTree([...entries.values()])
    },
  }
}

/** Other globs, another fingerprint: what they leave out is not known. */
function headingOf(files: readonly string[]): string {
  return `donecheck declared files 1 ${JSON.stringify(files)}`
}
