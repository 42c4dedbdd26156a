import type { PatchLine } from '../hunk.ts'
import type { Likeness, SoughtFile } from './sought-file.ts'

/** A line that an `@@` means, and the block that it opens. */
export interface Scope {
  readonly start: number
  /** The first line that is no part of it. */
  readonly end: number
}

export type Scopes =
  /** In order, never empty; several: the `@@` alone do not decide. */
  | { readonly kind: 'scopes'; readonly scopes: readonly Scope[]; readonly likeness: Likeness }
  | { readonly kind: 'not-found'; readonly context: PatchLine }

/** Follows the `@@` lines inwards. Each must stand in a block of the one before it, or else at least below it. */
export function scopesOf(file: SoughtFile, contexts: readonly PatchLine[]): Scopes {
  let outer: readonly Scope[] = [{ start: -1, end: file.lines.length }]
  let worst: Likeness = 'exact'
  for (const context of contexts) {
    const { indexes, likeness } = linesLike(file, context.text)
    if (file.isSpent()) return { kind: 'not-found', context }
    const inside = touching(outer, indexes, 0)
    const first = outer[0]?.start ?? -1
    const chosen = inside.length > 0 ? inside : indexes.filter((index) => index > first)
    if (chosen.length === 0) return { kind: 'not-found', context }
    const ends = file.blockEnds()
    outer = chosen.map((start) => ({ start, end: ends[start] ?? file.lines.length }))
    if (likeness !== 'exact') worst = likeness
  }
  return { kind: 'scopes', scopes: outer, likeness: worst }
}

/** Some write `@@ text @@`. */
function linesLike(
  file: SoughtFile,
  text: string,
): { readonly indexes: readonly number[]; readonly likeness: Likeness } {
  const found = file.places([text])
  const places =
    found.length === 0 && text.endsWith(' @@') ? file.places([text.slice(0, -' @@'.length)]) : found
  return { indexes: places.map(({ index }) => index), likeness: places[0]?.likeness ?? 'exact' }
}

/**
 * The starts of those runs of `length` lines that touch one of the scopes, the line of its `@@` counted in; of length 0: those
 * inside of one.
 */
export function touching(
  scopes: readonly Scope[],
  starts: readonly number[],
  length: number,
): readonly number[] {
  let next = 0
  let farthest = -1
  return starts.filter((start) => {
    for (
      let scope = scopes[next];
      scope !== undefined && scope.start < start + length;
      scope = scopes[next]
    ) {
      farthest = Math.max(farthest, scope.end)
      next += 1
    }
    return start < farthest
  })
}
