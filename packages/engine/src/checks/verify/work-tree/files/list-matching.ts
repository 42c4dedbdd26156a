import { readdir } from 'node:fs/promises'
import picomatch from 'picomatch'

export type Matching =
  | { readonly kind: 'listed'; readonly paths: readonly string[] }
  /** The tree could not be looked through. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Entries of folders; beyond, a glob is too wide to be answered. */
const maxEntries = 200_000

/**
 * Paths below a folder that a glob means, sorted: files and symlinks; folders behind symlinks are not entered. `.git` and
 * `node_modules` are looked into only where the glob names them.
 * @throws the signal's reason after an abort
 */
export async function listMatching(folder: string, glob: string, signal: AbortSignal): Promise<Matching> {
  const matches = picomatch(glob)
  const skipped = ['.git', 'node_modules'].filter((name) => !glob.split('/').includes(name))
  const paths: string[] = []
  const waiting = ['']
  let entries = 0
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    signal.throwIfAborted()
    const found = await namesIn(folder, below)
    if (found === undefined)
      return { kind: 'unreadable', reason: `the folder ${below === '' ? '.' : below} cannot be listed` }
    entries += found.length
    if (entries > maxEntries)
      return {
        kind: 'unreadable',
        reason: `there are more than ${maxEntries} files to look through for ${glob}`,
      }
    for (const { name, isFolder } of found) {
      const path = below === '' ? name : `${below}/${name}`
      if (isFolder && !skipped.includes(name)) waiting.push(path)
      if (!isFolder && (path === glob || matches(path))) paths.push(path)
    }
  }
  return { kind: 'listed', paths: paths.sort() }
}

/** Undefined: it cannot be listed. A folder that is gone meanwhile is empty. */
async function namesIn(folder: string, below: string) {
  try {
    const found = await readdir(below === '' ? folder : `${folder}/${below}`, { withFileTypes: true })
    return found.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
  } catch (error) {
    const isGone = below !== '' && error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isGone ? [] : undefined
  }
}
