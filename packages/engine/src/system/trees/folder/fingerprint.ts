import { resolve } from 'node:path'
import picomatch from 'picomatch'
import type { Workspace } from '../../../ports/loop.ts'
import { existsSync, statSync } from 'node:fs'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'
import { ignoredStamp, listByWalk, skippedFolders, type Listing } from './list-tree.ts'
import { textOf, type BytePath, bytePathOfText, fileUnder } from '../paths.ts'
import { digestOfTree, type TreeEntry, realParents } from './tree-entry.ts'
import { glance, readListed, type Glance, type TreeEntries, readTree } from './read-tree.ts'

/**
 * The work tree as one digest (SHA-256, hex) over path, kind, executable bit and content of its files. In a git
 * repository these are the tracked files and the untracked ones that are not ignored, submodules included; elsewhere all
 * files outside of `.git` and `node_modules`. Only what is below the folder counts. Times, owners, empty folders, the
 * index and commits do not count.
 *
 * With `files`, exactly what these globs match counts, ignored files too; a glob that begins with `!` takes away. With `except`,
 * what these match does not count.
 *
 * `fingerprint` rejects with the signal's reason after an abort, and for nothing else: what cannot be read is a part
 * of the fingerprint, as unreadable.
 */
export function gitOrWalkWorkspace(folder: string, reader: ContentReader = fileReader): Workspace {
  const absolute = resolve(folder)
  const [whole, declared] = [new ContentDigests(reader), new ContentDigests(reader)]
  let latest: Latest | undefined
  return {
    folder: absolute,
    ignoredStamp: (signal) => ignoredStamp(absolute, signal),
    async fingerprint(signal, { files, except } = {}) {
      signal.throwIfAborted()
      if (files !== undefined) {
        const entries = await readDeclared(absolute, files, declared, signal)
        // Other globs, another fingerprint: what they leave out is not known.
        return digestOfTree(entries, `donecheck declared files 1 ${JSON.stringify(files)}`)
      }
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

/**
 * Reads files that match the globs, ignored ones too; enters `.git` and `node_modules` only if a glob names them. If
 * a symlink could lead elsewhere, the whole tree is added.
 */
async function readDeclared(
  folder: string,
  globs: readonly string[],
  digests: ContentDigests,
  signal: AbortSignal,
): Promise<readonly TreeEntry[]> {
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(plain)
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => plain(glob.slice(1)))
  const matches = picomatch([...wanted], { dot: true, ignore: [...unwanted] })
  const listing = await listBases(folder, wanted, signal)
  const entries = await readTree(folder, digests, signal, () => Promise.resolve(listing))
  const matched = [...entries.values()].filter(
    (entry) => entry.kind === 'unreadable' || matches(textOf(entry.path)),
  )
  if (!mayLeadElsewhere(folder, [...listing.paths], entries, matches)) return matched
  const whole = await readTree(folder, digests, signal)
  return [...new Map([...whole, ...matched.map((entry) => [entry.path, entry] as const)]).values()]
}

/** `./a` is `a`, and `a/` is everything below it. */
function plain(glob: string): string {
  const relative = glob.startsWith('./') ? glob.slice(2) : glob
  return relative.endsWith('/') ? `${relative}**` : relative
}

/** Only what is below the fixed part of a glob is walked. */
async function listBases(folder: string, globs: readonly string[], signal: AbortSignal): Promise<Listing> {
  const bases = new Set(globs.map((glob) => bytePathOfText(picomatch.scan(glob).base)))
  const skipped = skippedFolders.filter((name) => !globs.some((glob) => glob.split('/').includes(name)))
  const paths = new Set<BytePath>()
  const unreadable: TreeEntry[] = []
  for (const base of bases) {
    if (!isFolder(folder, base)) {
      paths.add(base)
      continue
    }
    const listing = await listByWalk(folder, base, signal, skipped)
    for (const path of listing.paths) paths.add(path)
    unreadable.push(...listing.unreadable)
  }
  return { paths: [...paths], unreadable }
}

/** A folder through a symlink is one as well here; its files are then not taken as they are: see `mayLeadElsewhere`. */
function isFolder(folder: string, path: BytePath): boolean {
  try {
    return statSync(fileUnder(folder, path)).isDirectory()
  } catch {
    return false
  }
}

function mayLeadElsewhere(
  folder: string,
  listed: readonly BytePath[],
  entries: ReadonlyMap<BytePath, TreeEntry>,
  matches: (path: string) => boolean,
): boolean {
  const isInTree = realParents(folder)
  return listed.some((path) => {
    if (!isInTree(path)) return existsSync(fileUnder(folder, path))
    if (entries.get(path)?.kind !== 'symlink') return false
    return matches(textOf(path)) || isFolder(folder, path)
  })
}
