import { nameSays } from './by-name.ts'
import type { ReadableTree, SidesRequest } from './placement.ts'
import { folderOf, foldersAround, isWithin, join, jsonFields, nameOf } from './paths.ts'

/** Pairs compared by content; above it only equal files and equal names match. */
const maxPairs = 10_000
/** Ratio of the longer file's lines, the threshold git uses for renames. */
const leastShare = 0.5

interface Pair {
  readonly from: string
  readonly to: string
  readonly likeness: number
}

/** Maps new path → old path, once each. Like git: equal content, then equal name, then similar content. */
export function findMoves({
  baseline,
  delivered,
  changed,
}: Pick<SidesRequest, 'baseline' | 'delivered' | 'changed'>): ReadonlyMap<string, string> {
  const gone = changed.filter((path) => baseline.has(path) && !delivered.has(path))
  const added = changed.filter((path) => !baseline.has(path) && delivered.has(path))
  const isFew = gone.length * added.length <= maxPairs
  const byStem = Map.groupBy(gone, stemOf)
  const byText = Map.groupBy(gone, (path) => baseline.text(path))
  const pairs = added.flatMap((to) => {
    const after = delivered.text(to)
    const twins = after === null ? [] : (byText.get(after) ?? [])
    const candidates = isFew ? gone : new Set([...twins, ...(byStem.get(stemOf(to)) ?? [])])
    return [...candidates]
      .filter((from) => kindOf(from) === kindOf(to))
      .map((from): Pair => ({ from, to, likeness: likenessOf(from, baseline.text(from), to, after) }))
      .filter(({ likeness }) => likeness >= leastShare)
  })
  const moves = new Map<string, string>()
  const taken = new Set<string>()
  for (const { from, to } of pairs.sort((one, other) => other.likeness - one.likeness)) {
    if (moves.has(to) || taken.has(from)) continue
    moves.set(to, from)
    taken.add(from)
  }
  return moves
}

/** Equal content counts most, an equal name as half of the lines; the closer path breaks ties. */
function likenessOf(from: string, before: string | null, to: string, after: string | null): number {
  const closeness = commonEnd(from, to).split('/').length / 1_000
  const share = shareOf(before, after)
  if (share === 1) return 2 + closeness
  return share + (stemOf(from) === stemOf(to) ? leastShare : 0) + (share > 0 ? closeness : 0)
}

/** Returns the last common parts of two paths, without the leading slash. */
function commonEnd(one: string, other: string): string {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const length = left.findIndex((part, index) => part !== right[index])
  return left
    .slice(0, length === -1 ? left.length : length)
    .reverse()
    .join('/')
}

const ofJavaScript = /\.[cm]?[jt]sx?$/u

/** Returns the extension, the same for all JavaScript module extensions. */
function kindOf(path: string): string {
  return ofJavaScript.test(path) ? '.js' : (/\.[^.]+$/u.exec(nameOf(path))?.[0] ?? '')
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\.[^.]+$/u, '')
}

function shareOf(before: string | null, after: string | null): number {
  if (before === null || after === null) return 0
  if (before === after) return 1
  const [then, now] = [linesOf(before), linesOf(after)]
  const common = [...now].filter((line) => then.has(line)).length
  return (common / Math.max(then.size, now.size, 1)) * 0.999
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n', 20_000)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
}

export interface ModuleTypes {
  /** Path of a manifest copied into a test folder → its text. */
  readonly manifests: ReadonlyMap<string, string>
  /** Earlier path → path whose extension tells how to load it, if its folder has product sources too. */
  readonly renames: ReadonlyMap<string, string>
}

const ending = /\.([jt]sx?)$/u

export function keepModuleTypes(
  paths: readonly string[],
  baseline: ReadableTree,
  delivered: ReadableTree,
): ModuleTypes {
  const manifests = new Map<string, string>()
  const renames = new Map<string, string>()
  for (const path of paths) {
    const folder = folderOf(path)
    const earlier = typeIn(folder, baseline)
    if (!ending.test(path) || earlier === typeIn(folder, delivered)) continue
    if (holdsProduct(folder, delivered))
      renames.set(path, path.replace(ending, `.${isModule(earlier, baseline.text(path)) ? 'm' : 'c'}$1`))
    else if (!delivered.has(join(folder, 'package.json')))
      manifests.set(
        join(folder, 'package.json'),
        JSON.stringify(earlier === undefined ? {} : { type: earlier }),
      )
  }
  return { manifests, renames }
}

function typeIn(folder: string, tree: ReadableTree): string | undefined {
  const manifest = foldersAround(folder)
    .map((around) => join(around, 'package.json'))
    .find((path) => tree.has(path))
  const type = jsonFields(tree.text(manifest ?? '')).find(([key]) => key === 'type')?.[1]
  return typeof type === 'string' ? type : undefined
}

/** Without `type`, Node decides by syntax. */
function isModule(type: string | undefined, text: string | null): boolean {
  return type === undefined ? /^\s*(?:import|export)\b/mu.test(text ?? '') : type === 'module'
}

function holdsProduct(folder: string, tree: ReadableTree): boolean {
  for (const path of tree.paths())
    if (isWithin(path, folder) && ending.test(path) && nameSays(path).kind === 'plain') return true
  return false
}

export interface FolderMove {
  readonly from: string
  readonly to: string
}

/**
 * Finds folders that moved as a whole, so that earlier tests can run there: old folder empty, new one new, no
 * test reaches outside.
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

/** Whether a line of the file climbs out of the folder, however the path is built. */
function mayLeave(path: string, folder: string, tree: ReadableTree): boolean {
  if (!isWithin(path, folder)) return false
  const depth = path.slice(folder.length + 1).split('/').length - 1
  const lines = tree.text(path)?.split('\n')
  return lines?.some((line) => (line.match(/\.\.|\bparents?\b|\bdirname\b/gu) ?? []).length > depth) ?? true
}

export function rewriteFolder(text: string, { from, to }: FolderMove): string {
  const name = from.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  return text.replaceAll(new RegExp(`(?<![\\w.@-]|[\\w.@-]/)${name}(?![\\w.@-])`, 'gu'), () => to)
}
