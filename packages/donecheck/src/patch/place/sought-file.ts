import { likenesses, normalise, type Likeness, type Place, type SeekOptions } from '../seek.ts'
import type { FileLine } from '../text/file-lines.ts'
import { blockEndsOf } from './block-ends.ts'
import { lineIndex, searchBudget, type LineIndex } from './line-index.ts'

/** A file in which chunks look for their places. */
export interface SoughtFile {
  readonly path: string
  readonly lines: readonly FileLine[]
  readonly texts: readonly string[]
  /** Every place of the first pass that finds any, as `LineSeeker.places`. @param pattern not empty */
  places(pattern: readonly string[], options?: SeekOptions): readonly Place[]
  /** The patch has searched it for so long that nothing more is found. */
  isSpent(): boolean
  /** For each line, the first line that no longer belongs to the block that it opens. Made when first asked. */
  blockEnds(): readonly number[]
}

export function soughtFile(path: string, lines: readonly FileLine[]): SoughtFile {
  const texts = lines.map(({ text }) => text)
  const budget = searchBudget()
  const indexes = new Map<Likeness, LineIndex>()
  const indexOf = (likeness: Likeness): LineIndex => {
    const known = indexes.get(likeness) ?? lineIndex(texts.map(normalise[likeness]), budget)
    indexes.set(likeness, known)
    return known
  }
  let ends: readonly number[] | undefined
  return {
    path,
    lines,
    texts,
    places: (pattern, { atEnd = false, from = 0 } = {}) =>
      atEnd
        ? lastPlace(texts, pattern).filter(({ index }) => index >= from)
        : firstPass(
            (likeness, wanted) =>
              indexOf(likeness)
                .placesOf(wanted)
                .filter((index) => index >= from),
            pattern,
          ),
    isSpent: () => budget.left < 0,
    blockEnds: () => (ends ??= blockEndsOf(texts)),
  }
}

function firstPass(
  find: (likeness: Likeness, pattern: readonly string[]) => readonly number[],
  pattern: readonly string[],
): readonly Place[] {
  for (const likeness of likenesses) {
    const found = find(likeness, pattern.map(normalise[likeness]))
    if (found.length > 0) return found.map((index) => ({ index, likeness }))
  }
  return []
}

function lastPlace(texts: readonly string[], pattern: readonly string[]): readonly Place[] {
  const start = texts.length - pattern.length
  if (start < 0) return []
  const likeness = likenesses.find((candidate) => {
    const form = normalise[candidate]
    return pattern.every((line, offset) => form(line) === form(texts[start + offset] ?? ''))
  })
  return likeness === undefined ? [] : [{ index: start, likeness }]
}
