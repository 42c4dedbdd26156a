import { resolve } from 'node:path'
import picomatch from 'picomatch'
import type { Workspace } from '../../../ports/loop.ts'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'
import { ignoredStamp } from './list-tree.ts'
import { textOf, type BytePath } from '../paths.ts'
import { digestOfTree, type TreeEntry } from './tree-entry.ts'
import { glance, readListed, type Glance, type TreeEntries } from './read-tree.ts'

/**
 * Hex SHA-256 of the work tree: path, kind, executable bit and content. Covers tracked and untracked files
 * that git does not ignore, submodules included; without git all but `.git` and `node_modules`. Times,
 * owners, empty folders, index, commits and `except` do not count. Rejects only on abort: unreadable files
 * count as such.
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

/** Unreadable entries count whatever their name. */
function without(globs: readonly string[], entries: TreeEntries): readonly TreeEntry[] {
  const matches = picomatch([...globs], { dot: true, basename: true })
  return [...entries.values()].filter(({ kind, path }) => kind === 'unreadable' || !matches(textOf(path)))
}

interface Latest {
  readonly fingerprint: string
  readonly paths: readonly BytePath[]
  readonly entries: TreeEntries
}

/** Same files, kinds and contents as last time, all known without reading. */
function standsStill({ listing, early }: Glance, { paths, entries }: Latest): boolean {
  const { paths: now, unreadable } = listing
  if (unreadable.length > 0 || now.length !== paths.length) return false
  // Uses the earlier path object, whose hash is cached.
  return paths.every((path, index) => path === now[index] && isSame(early.get(path), entries.get(path)))
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one !== undefined && one.kind === other?.kind && one.digest === other.digest
}
