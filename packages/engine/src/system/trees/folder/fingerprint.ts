import { resolve } from 'node:path'
import picomatch from 'picomatch'
import type { Workspace } from '../../../ports/loop.ts'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'
import { ignoredStamp } from './list-tree.ts'
import { textOf, type BytePath } from '../paths.ts'
import { digestOfTree, type TreeEntry } from './tree-entry.ts'
import { glance, readListed, type Glance, type TreeEntries } from './read-tree.ts'

/**
 * The work tree as one digest (SHA-256, hex) over path, kind, executable bit and content of its files. In a git
 * repository these are the tracked files and the untracked ones that are not ignored, submodules included; elsewhere all
 * files outside of `.git` and `node_modules`. Only what is below the folder counts. Times, owners, empty folders, the
 * index and commits do not count.
 *
 * What the globs of `except` match does not count.
 *
 * `fingerprint` rejects with the signal's reason after an abort, and for nothing else: what cannot be read is a part
 * of the fingerprint, as unreadable.
 */
export function gitOrWalkWorkspace(folder: string, reader: ContentReader = fileReader): Workspace {
  const absolute = resolve(folder)
  const whole = new ContentDigests(reader)
  let latest: Latest | undefined
  return {
    folder: absolute,
    ignoredStamp: (signal) => ignoredStamp(absolute, signal),
    async fingerprint(signal, { except } = {}) {
      signal.throwIfAborted()
      const seen = await glance(absolute, whole, signal)
      if (except !== undefined)
        return digestOfTree(
          without(except, await readListed(absolute, whole, signal, seen)),
          `except ${JSON.stringify(except)}`,
        )
      if (latest !== undefined && standsStill(seen, latest)) return latest.fingerprint
      const entries = await readListed(absolute, whole, signal, seen)
      whole.keepOnly(entries)
      const fingerprint = digestOfTree([...entries.values()])
      latest = { fingerprint, paths: seen.listing.paths, entries }
      return fingerprint
    },
  }
}

/** What cannot be read counts, whatever its name. */
function without(globs: readonly string[], entries: TreeEntries): readonly TreeEntry[] {
  const matches = picomatch([...globs], { dot: true, basename: true })
  return [...entries.values()].filter(({ kind, path }) => kind === 'unreadable' || !matches(textOf(path)))
}

interface Latest {
  readonly fingerprint: string
  readonly paths: readonly BytePath[]
  readonly entries: TreeEntries
}

/** The same files as the last time, each of the same kind and content, and none that must be read to know. */
function standsStill({ listing, early }: Glance, { paths, entries }: Latest): boolean {
  const { paths: now, unreadable } = listing
  if (unreadable.length > 0 || now.length !== paths.length) return false
  // Asked with the path of the last time, whose place in a map is known already.
  return paths.every((path, index) => path === now[index] && isSame(early.get(path), entries.get(path)))
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one !== undefined && one.kind === other?.kind && one.digest === other.digest
}
