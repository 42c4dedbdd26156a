/** New files that hold what a deleted one held. */
import type { SidesRequest } from '../request.ts'
import { nameOf } from './paths.ts'

/** Pairs that are compared; beyond it a move is a new file. */
const maxPairs = 10_000
/** Of the lines of the longer one. */
const leastShare = 0.6

/** New path → the path that its content had. The most similar one of the same ending, each at most once. */
export function movesIn({ baseline, delivered, changed }: SidesRequest): ReadonlyMap<string, string> {
  const gone = changed.filter((path) => baseline.has(path) && !delivered.has(path))
  const added = changed.filter((path) => !baseline.has(path) && delivered.has(path))
  const moves = new Map<string, string>()
  if (gone.length * added.length > maxPairs) return moves
  const pairs = added
    .flatMap((to) => gone.filter((from) => endingOf(from) === endingOf(to)).map((from) => ({ from, to })))
    .map(({ from, to }) => ({ from, to, share: shareOf(baseline.text(from), delivered.text(to)) }))
    .filter(({ share }) => share >= leastShare)
    .sort((one, other) => other.share - one.share)
  const taken = new Set<string>()
  for (const { from, to } of pairs) {
    if (moves.has(to) || taken.has(from)) continue
    moves.set(to, from)
    taken.add(from)
  }
  return moves
}

function endingOf(path: string): string {
  return /\.[^.]+$/u.exec(nameOf(path))?.[0] ?? ''
}

function shareOf(before: string | null, after: string | null): number {
  if (before === null || after === null) return 0
  if (before === after) return 1
  const [then, now] = [linesOf(before), linesOf(after)]
  const common = [...now].filter((line) => then.has(line)).length
  return common / Math.max(then.size, now.size, 1)
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n', 20_000)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
}
