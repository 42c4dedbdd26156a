/** The earlier checks, byte for byte, where files that they name have moved. */
import { posix } from 'node:path'
import {
  decidesByName,
  findMoves,
  keepModuleTypes,
  movedFolders,
  rewriteFolder,
  type FolderMove,
  type Placement,
} from '../../../../analysis/sides/index.ts'
import type { ObjectStore } from '../../snapshot/snapshots.ts'
import { bytePathOfText, textOf, type BytePath } from '../../tree/tree-entry.ts'
import type { OverlayFile } from '../../clean-copy/write-files.ts'
import type { CheckSideChange, SidedChanges, Trees } from '../compare/sided-changes.ts'
import { listPaths } from '../reports.ts'
import { canBePutBack, overlayOf, type Overlay } from './independent-tree.ts'

/** What is laid over the independent tree so that the earlier checks find what moved. */
export interface MovedTree {
  readonly overlay: Overlay
  /** For the verdict. */
  readonly note: string
  /** Tests run at a new place: only their number tells that the runner looks there. */
  readonly needsCounts: boolean
}

/**
 * The old path of every product file that moved leads to the new one, and modules are read by the module system that they were
 * written for; then, where a whole folder moved, its earlier checks at the new place. Only files of the product are led to, whose
 * content is the agent's anyway, so that no move changes what is asked.
 */
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

/**
 * Whether a folder is at another place now, and everything that a test may import from there is the product's: a link to it may
 * follow. What only tests use would be another one at the new place.
 */
export function hasMovedWhole(from: string, to: string, { placements }: SidedChanges, trees: Trees): boolean {
  const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
  const isOfTests = ({ path, side, reason }: Placement) =>
    side === 'check' && !['cannot-be-split', 'configuration'].includes(reason) && !decidesByName(path)
  const there = [...trees.delivered.paths()]
  return (
    !there.some(isIn(from)) &&
    there.some(isIn(to)) &&
    ![...placements.values()].filter(({ path }) => isIn(from)(path)).some(isOfTests)
  )
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

/** The checks of the folder at its new place; settings elsewhere name that. */
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

/** Where a project lists its packages. */
const isSettings =
  /(?:^|\/)(?:package\.json|pnpm-workspace\.ya?ml|lerna\.json|nx\.json|turbo\.json|tsconfig[\w.-]*\.json|Cargo\.toml|go\.work|go\.mod|pyproject\.toml|settings\.gradle(?:\.kts)?|vitest\.(?:workspace|config)\.\w+|jest\.config\.\w+|Makefile)$/u
