import { rmdirSync, rmSync } from 'node:fs'
import { isLoadedUnasked } from '../../../analysis/sides/index.ts'
import {
  foldersAbove,
  type Overlay,
  type Trees,
  installed,
  listByWalk,
  type TreeEntries,
  storeTree,
  fileUnder,
  textOf,
  type BytePath,
  isCache,
} from '../../../system/trees/index.ts'
import { findRepository, runGit } from '../../../system/process/index.ts'

interface LayRequest {
  readonly trees: Trees
  /** Real path. */
  readonly workFolder: string
  readonly roomFolder: string
  readonly tree: TreeEntries
  /** Null deletes the file. */
  readonly overlay: Overlay
  /** Whether a file outside the tree may stay although no rule ignores it. */
  readonly mayStay: (path: BytePath) => boolean
  readonly signal: AbortSignal
}

/**
 * Makes the room the tree. Only files that its own rules ignore may stay, except those loaded unasked.
 * @throws {SnapshotError} for an unreadable or different file
 */
export async function layTree(request: LayRequest): Promise<void> {
  const { trees, workFolder, roomFolder, tree, overlay, mayStay, signal } = request
  const id = await trees.mix(await storeTree(trees, workFolder, tree, signal), overlay, signal)
  const wanted = await trees.list(id, signal)
  const texts = [...wanted.keys()].map((path) => `/${path}`)
  const beside = installed.filter((name) => !texts.some((text) => text.includes(`/${name}/`)))
  const listOthers = async () => {
    const { paths } = await listByWalk(roomFolder, '', signal, ['.git', ...beside])
    return paths.filter((path) => !wanted.has(path) && !mayStay(path))
  }
  // Ignore rules from outside the tree must not keep files.
  for (const path of (await listOthers()).filter(isRules)) remove(path, roomFolder)
  await trees.lay(id, roomFolder, { original: workFolder, mayStay: () => true, signal })
  const others = await listOthers()
  const ignored = await listIgnoredAmong(others, request)
  for (const path of others)
    if (!ignored.has(path) || isLoadedUnasked(textOf(path)) || isCompiled(path)) remove(path, roomFolder)
}

function isRules(path: BytePath): boolean {
  return path === '.gitignore' || path.endsWith('/.gitignore')
}

/** Compiled from a source of the tree: interpreters prefer it to the source. */
function isCompiled(path: BytePath): boolean {
  return isCache(textOf(path)) && path.includes('__pycache__/')
}

/** Also removes folders that become empty. */
function remove(path: BytePath, roomFolder: string): void {
  rmSync(fileUnder(roomFolder, path), { recursive: true, force: true })
  for (const parent of foldersAbove(path).toReversed()) {
    try {
      rmdirSync(fileUnder(roomFolder, parent))
    } catch {
      return
    }
  }
}

/** Uses the ignore rules of the tree. */
async function listIgnoredAmong(
  paths: readonly BytePath[],
  { roomFolder, workFolder, signal }: LayRequest,
): Promise<ReadonlySet<BytePath>> {
  const place = findRepository(workFolder) === undefined ? undefined : findRepository(roomFolder)
  if (paths.length === 0 || place === undefined) return new Set()
  const stdin = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  const { stdout } = await runGit(place, ['check-ignore', '-z', '--stdin', '--no-index'], signal, { stdin })
  return new Set(stdout.toString('latin1').split('\0').filter(Boolean))
}
