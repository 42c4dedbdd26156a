import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CompatibleFiles } from '../../analysis/patch/index.ts'
import { realPath } from '../../base/index.ts'
import { directFiles } from './direct-files.ts'

/**
 * The files of this machine, of which every change is only noted. What may not be written is not known before it is tried, and
 * a file that has two hard links counts as two.
 */
export interface RehearsedFiles extends CompatibleFiles {
  /** Absolute paths with links followed, and what would be there afterwards; null: nothing. */
  readonly changed: ReadonlyMap<string, Uint8Array | null>
}

/** For a dry run in the codex-compatible mode. */
export function rehearsedFiles(): RehearsedFiles {
  const changed = new Map<string, Uint8Array | null>()
  const folders = new Set<string>()
  const spotAt = (path: string) => findSpot(path, changed, folders)
  // A link that was removed leads nowhere any more.
  const realOf = (path: string): string => (changed.has(ownName(path)) ? ownName(path) : realPath(path))
  return {
    changed,
    async read(named) {
      const path = realOf(named)
      const bytes = changed.get(path)
      if (bytes instanceof Uint8Array) return { kind: 'read', bytes }
      if (!isNoted(path, changed, folders)) return directFiles.read(path)
      return { kind: 'failed', problem: problemOf(path, await spotAt(path)) }
    },
    async write(named, bytes) {
      const path = realOf(named)
      const [spot, above] = [await spotAt(path), await spotAt(dirname(path))]
      if (spot === 'missing' && above === 'missing') return 'no-folder'
      if (spot === 'folder' || spot === 'blocked') return 'failed'
      changed.set(path, bytes)
      return 'written'
    },
    async createFolderOf(path) {
      const missing: string[] = []
      let folder = dirname(ownName(path))
      let spot = await spotAt(folder)
      for (; spot === 'missing'; spot = await spotAt(folder)) {
        missing.push(folder)
        folder = dirname(folder)
      }
      if (spot !== 'folder') return false
      for (const one of missing) folders.add(one)
      return true
    },
    async remove(named) {
      const path = ownName(named)
      // A link whose file is gone cannot be removed: it leads to nothing.
      const isThere = (await spotAt(realOf(named))) === 'file'
      if (isThere) changed.set(path, null)
      return isThere
    },
  }
}

/** Of the name itself, also where it is a link. */
function ownName(path: string): string {
  return join(realPath(dirname(path)), basename(path))
}

/** Whether anything is noted of it, or of what is above it: else the machine itself is asked. */
function isNoted(path: string, changed: RehearsedFiles['changed'], folders: ReadonlySet<string>): boolean {
  if (changed.has(path) || folders.has(path)) return true
  return dirname(path) !== path && isNoted(dirname(path), changed, folders)
}

/** In the words of the reference. */
function problemOf(path: string, spot: Spot): string {
  if (spot === 'folder') return `path \`${path}\` is not a file`
  return spot === 'blocked' ? 'Not a directory (os error 20)' : 'No such file or directory (os error 2)'
}

/** `blocked`: something above it is a file. */
type Spot = 'file' | 'folder' | 'missing' | 'blocked'

async function findSpot(
  path: string,
  changed: RehearsedFiles['changed'],
  folders: ReadonlySet<string>,
): Promise<Spot> {
  if (folders.has(path)) return 'folder'
  const bytes = changed.get(path)
  if (bytes !== undefined) return bytes === null ? 'missing' : 'file'
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined) return stats.isDirectory() ? 'folder' : 'file'
  if (dirname(path) === path) return 'missing'
  const above = await findSpot(dirname(path), changed, folders)
  return above === 'file' || above === 'blocked' ? 'blocked' : 'missing'
}
