/** Folders that moved as a whole, with the tests in them, such as a package of a monorepo. */
import type { ReadableTree } from '../request.ts'
import { folderOf, isWithin } from '../tree/paths.ts'
import { commonEnd } from './find-moves.ts'

export interface FolderMove {
  readonly from: string
  readonly to: string
}

/**
 * Where earlier tests may be asked at the new place of their folder, because whatever they name in it by a relative path is what
 * moved with them: nothing is left at the old place, nothing was at the new one, and no test names what lies around the folder by a
 * path that means something else from there.
 * @param paths earlier files of the check side that are gone
 * @param moves new path → old path
 */
export function movedFolders(
  paths: readonly string[],
  moves: ReadonlyMap<string, string>,
  baseline: ReadableTree,
  delivered: ReadableTree,
): readonly FolderMove[] {
  const found = new Map<string, FolderMove>()
  for (const [to, from] of moves) {
    const move = paths.includes(from) ? folderMoveOf(from, to) : undefined
    if (move !== undefined) found.set(move.from, move)
  }
  return [...found.values()].filter((move) => {
    const isWhole = !holdsAny(move.from, delivered) && !holdsAny(move.to, baseline)
    const isSibling = folderOf(move.from) === folderOf(move.to)
    return isWhole && (isSibling || !paths.some((path) => mayLeave(path, move.from, baseline)))
  })
}

function folderMoveOf(from: string, to: string): FolderMove | undefined {
  const end = commonEnd(from, to)
  const cut = end.length + 1
  const move = { from: from.slice(0, -cut), to: to.slice(0, -cut) }
  return end === '' || move.from === '' || move.to === '' ? undefined : move
}

function holdsAny(folder: string, tree: ReadableTree): boolean {
  for (const path of tree.paths()) if (isWithin(path, folder)) return true
  return false
}

/** Whether one line of the file climbs as high as out of the folder, however the path is put together. */
function mayLeave(path: string, folder: string, tree: ReadableTree): boolean {
  if (!isWithin(path, folder)) return false
  const depth = path.slice(folder.length + 1).split('/').length - 1
  const lines = tree.text(path)?.split('\n')
  return lines?.some((line) => (line.match(/\.\.|\bparents?\b|\bdirname\b/gu) ?? []).length > depth) ?? true
}

/** A text of settings in which the folder is named by its new path. */
export function rewriteFolder(text: string, { from, to }: FolderMove): string {
  const name = from.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  return text.replaceAll(new RegExp(`(?<![\\w.@-]|[\\w.@-]/)${name}(?![\\w.@-])`, 'gu'), () => to)
}
