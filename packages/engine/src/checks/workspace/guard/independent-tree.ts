import { hash } from 'node:crypto'
import {
  findMoves,
  keepModuleTypes,
  movedFolders,
  rewriteFolder,
  type FolderMove,
} from '../../../analysis/sides/index.ts'
import { textOf, type BytePath, bytePathOfText, type OverlayFile } from '../../../system/trees/index.ts'
import type { ObjectStore } from '../snapshots.ts'
import { listPaths } from './options.ts'
import type { CheckSideChange, SidedChanges, Trees } from './sided-changes.ts'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, posix } from 'node:path'

type PutBack = Pick<CheckSideChange, 'change' | 'text'>

export type Overlay = ReadonlyMap<BytePath, OverlayFile | null>

/** Overlay that restores check files: earlier content, check parts of mixed files, deletions. */
export function overlayOf(changes: readonly PutBack[], objects: ObjectStore): Overlay {
  return new Map(
    changes.map(({ change, text }): readonly [BytePath, OverlayFile | null] => {
      const { bytePath, before, after, earlier } = change
      if (text !== undefined) {
        const mode = (after ?? before)?.mode ?? 0o644
        return [bytePath, { kind: 'file', content: Buffer.from(text), mode }]
      }
      if (before === null || earlier === undefined) return [bytePath, null]
      return [bytePath, { kind: before.kind, content: objects.get(earlier.digest), mode: before.mode }]
    }),
  )
}

/** Its earlier content is stored, or there was none. */
export function canBePutBack({ change: { before, earlier } }: PutBack): boolean {
  return before === null || earlier === undefined || earlier.isKept
}

/** Equal overlays give equal texts. */
export function variantOf(overlay: Overlay): string {
  const lines = [...overlay].map(([path, file]) =>
    file === null ? `${path}\0gone` : `${path}\0${file.kind}\0${file.mode}\0${hash('sha256', file.content)}`,
  )
  return hash('sha256', lines.sort().join('\0\0'))
}

/** Reads an overlay without links. @throws the system's error: held-out checks need all files */
export function heldOutOverlay(folder: string): ReadonlyMap<BytePath, OverlayFile> {
  const overlay = new Map<BytePath, OverlayFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const mode = statSync(file).mode & 0o777
    overlay.set(bytePathOfText(relative(folder, file)), { kind: 'file', content: readFileSync(file), mode })
  }
  return overlay
}

/** Overlay with which earlier checks find moved files. */
interface MovedTree {
  readonly overlay: Overlay
  readonly note: string
  /** Tests run at a new path: only their count shows that the runner finds them. */
  readonly needsCounts: boolean
}

/** Lets earlier checks find moved files by links (product only), module system, or moved checks. */
export function movedTrees(
  undone: readonly CheckSideChange[],
  sides: SidedChanges,
  trees: Trees,
  objects: ObjectStore,
): readonly MovedTree[] {
  const { baseline, delivered } = trees
  const moves = findMoves({ baseline, delivered, changed: [...sides.placements.keys()] })
  const laid = undone.filter(canBePutBack)
  const links = linksTo(moves, sides, trees)
  const overlay = new Map([...links, ...moduleOverlay(laid, trees, objects)])
  const byLinks = overlay.size === 0 ? [] : [{ overlay, note: noteOf(overlay.keys()), needsCounts: false }]
  const gone = laid.flatMap(({ path, change: { before, after } }) =>
    before !== null && after === null ? [path] : [],
  )
  const byFolders = movedFolders(gone, moves, baseline, delivered).map((move) => ({
    overlay: folderOverlay(move, overlayOf(laid, objects), links),
    note: `green as well with the earlier checks of ${move.from} in ${move.to}, where the folder is now`,
    needsCounts: true,
  }))
  return [...byLinks, ...byFolders]
}

function noteOf(paths: Iterable<BytePath>): string {
  return `green as well with the earlier checks, where ${listPaths([...paths].map(textOf))} moved`
}

function linksTo(
  moves: ReadonlyMap<string, string>,
  { placements }: SidedChanges,
  { delivered }: Trees,
): Overlay {
  const isProduct = (path: string): boolean => placements.get(path)?.side !== 'check'
  const folders = new Set([...delivered.paths()].map((path) => posix.dirname(path)))
  const links = new Map<BytePath, OverlayFile>()
  for (const [to, from] of moves) {
    const isFree = !folders.has(from) && !delivered.has(posix.dirname(from))
    if (!isFree || !isProduct(from) || !isProduct(to)) continue
    const target = posix.relative(posix.dirname(from), to)
    links.set(bytePathOfText(from), { kind: 'symlink', content: Buffer.from(target), mode: 0o777 })
  }
  return links
}

function moduleOverlay(laid: readonly CheckSideChange[], trees: Trees, objects: ObjectStore): Overlay {
  const earlier = laid.filter(({ change }) => change.before !== null)
  const { manifests, renames } = keepModuleTypes(
    earlier.map(({ path }) => path),
    trees.baseline,
    trees.delivered,
  )
  const contents = overlayOf(earlier, objects)
  const overlay = new Map<BytePath, OverlayFile | null>()
  for (const [path, text] of manifests) overlay.set(bytePathOfText(path), textFile(text))
  for (const [from, to] of renames) {
    overlay.set(bytePathOfText(from), null)
    overlay.set(bytePathOfText(to), contents.get(bytePathOfText(from)) ?? null)
  }
  return overlay
}

function textFile(text: string): OverlayFile {
  return { kind: 'file', content: Buffer.from(text), mode: 0o644 }
}

/** Check files of the folder at its new path; outside settings may name it. */
function folderOverlay(move: FolderMove, undone: Overlay, links: Overlay): Overlay {
  const [from, to] = [bytePathOfText(`${move.from}/`), bytePathOfText(`${move.to}/`)]
  const overlay = new Map([...links].filter(([path]) => !path.startsWith(from)))
  for (const [path, file] of undone) {
    if (path.startsWith(from)) {
      overlay.set(path, null)
      overlay.set(`${to}${path.slice(from.length)}`, file)
    } else if (file !== null && isSettings.test(path)) {
      const text = rewriteFolder(Buffer.from(file.content).toString(), move)
      overlay.set(path, { ...file, content: Buffer.from(text) })
    }
  }
  return overlay
}

/** Files that list a project's packages. */
const isSettings =
  /(?:^|\/)(?:package\.json|pnpm-workspace\.ya?ml|lerna\.json|nx\.json|turbo\.json|tsconfig[\w.-]*\.json|Cargo\.toml|go\.work|go\.mod|pyproject\.toml|settings\.gradle(?:\.kts)?|vitest\.(?:workspace|config)\.\w+|jest\.config\.\w+|Makefile)$/u
