/** Where a file that is gone lies now. */
import type { SidesRequest } from '../request.ts'
import { nameOf } from '../tree/paths.ts'

/** Pairs of files that are compared by content; beyond that only equal files and files of one name are found. */
const maxPairs = 10_000
/** Of the lines of the longer one: the share at which git calls it a rename. */
const leastShare = 0.5

interface Pair {
  readonly from: string
  readonly to: string
  readonly likeness: number
}

/**
 * New path → old path, each at most once. As git does: equal content first, then the same name, then similar content. A module
 * of JavaScript may become one of TypeScript, or of another module system.
 */
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

/** Equal content counts most; a shared name as much as half of the lines; of equal pairs the one with the closer path is taken. */
function likenessOf(from: string, before: string | null, to: string, after: string | null): number {
  const closeness = commonEnd(from, to).split('/').length / 1_000
  const share = shareOf(before, after)
  if (share === 1) return 2 + closeness
  return share + (stemOf(from) === stemOf(to) ? leastShare : 0) + (share > 0 ? closeness : 0)
}

/** The last parts that two paths share, without the slash before them. */
export function commonEnd(one: string, other: string): string {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const length = left.findIndex((part, index) => part !== right[index])
  return left
    .slice(0, length === -1 ? left.length : length)
    .reverse()
    .join('/')
}

const ofJavaScript = /\.[cm]?[jt]sx?$/u

/** The ending, one for all that a module of JavaScript may be called. */
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
