import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { bytePathOf, fileUnder, type BytePath } from '../tree/tree-entry.ts'
import { installed } from '../clean-copy/dependencies.ts'
import { skippedFolders } from './list-tree.ts'
import { listIgnored } from './list-ignored.ts'

/** Beyond it no file more is looked at: a tree of caches must not cost more than a check. */
const maxFiles = 50_000
const filesAtOnce = 512

/**
 * A digest over size, times and inode of what the fingerprint leaves out: files that git ignores, or installed packages
 * where there is no git. It is another one as soon as one of them was written; inside a package folder only as soon as a package, a
 * program or the package manager's own record was.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function ignoredStamp(folder: string, signal: AbortSignal): Promise<string> {
  const stamp = createHash('sha256')
  const waiting = (await ignoredIn(folder, signal)).toReversed()
  let looked = 0
  for (let path = waiting.pop(); path !== undefined && looked < maxFiles; path = waiting.pop()) {
    if (looked++ % filesAtOnce === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const stats = lstatSync(fileUnder(folder, path), { throwIfNoEntry: false })
    if (stats === undefined) continue
    const { size, mtimeMs, ctimeMs, ino, mode } = stats
    stamp.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${ino}\0${mode}\0`, 'latin1')
    if (stats.isDirectory() && isOpened(path)) waiting.push(...readChildren(folder, path).toReversed())
  }
  return stamp.digest('hex')
}

/** What git ignores, whole folders as one; without git what a walk leaves out. */
async function ignoredIn(folder: string, signal: AbortSignal): Promise<readonly BytePath[]> {
  const listed = await listIgnored(folder, signal)
  return listed?.map((path) => path.replace(/\/$/, '')) ?? skippedFolders.filter((name) => name !== '.git')
}

/** Inside a folder of installed packages: its own files, scopes, and `.bin`; not the files of each package. */
function isOpened(path: BytePath): boolean {
  const parts = path.split('/')
  const index = parts.findIndex((part) => installed.includes(part))
  if (index === -1) return true
  const [inside, deeper] = parts.slice(index + 1)
  if (inside === undefined) return true
  return deeper === undefined && (inside.startsWith('@') || inside === '.bin' || inside === 'bin')
}

function readChildren(folder: string, path: BytePath): readonly BytePath[] {
  try {
    return readdirSync(fileUnder(folder, path), { encoding: 'buffer' })
      .map((name) => `${path}/${bytePathOf(name)}`)
      .sort()
  } catch {
    return []
  }
}
