import { existsSync, statSync } from 'node:fs'
import picomatch from 'picomatch'
import { bytePathOfText, fileUnder, textOf, type BytePath } from '../tree/byte-path.ts'
import type { ContentDigests } from './content-digests.ts'
import { listByWalk, skippedFolders, type Listing } from './list-by-walk.ts'
import { readTree } from '../tree/read-tree.ts'
import { realParents } from '../tree/real-parents.ts'
import type { TreeEntry } from '../tree/tree-entry.ts'

/**
 * The files that the globs match, ignored ones too; what is in `.git` and `node_modules` only for a glob that names
 * them. Where a symlink could lead a glob to files elsewhere in the tree, the whole tree is added: better too much.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function readDeclared(
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

/** By whatever links. */
function isThere(folder: string, path: BytePath): boolean {
  return existsSync(fileUnder(folder, path))
}

function mayLeadElsewhere(
  folder: string,
  listed: readonly BytePath[],
  entries: ReadonlyMap<BytePath, TreeEntry>,
  matches: (path: string) => boolean,
): boolean {
  const isInTree = realParents(folder)
  return listed.some((path) => {
    if (!isInTree(path)) return isThere(folder, path)
    if (entries.get(path)?.kind !== 'symlink') return false
    return matches(textOf(path)) || isFolder(folder, path)
  })
}
