/** Where a run of lines stands in a file: four passes, from exact to look-alike. */
import { trimBoth, trimEnd } from '../lines.ts'
import type { FileLine } from '../text-file.ts'
import { lineSearch, searchBudget, type LineSearch, type SearchBudget } from './line-search.ts'

/** How alike the lines are: the same; but for white space behind them; around them; and look-alike characters. */
export type Likeness = (typeof likenesses)[number]

export const likenesses = ['exact', 'trailing-space', 'surrounding-space', 'look-alike'] as const

export interface Place {
  /** Counted from 0. */
  readonly index: number
  readonly likeness: Likeness
}

/** What is compared in each pass. */
const normalise: Readonly<Record<Likeness, (line: string) => string>> = {
  exact: (line) => line,
  'trailing-space': trimEnd,
  'surrounding-space': trimBoth,
  'look-alike': (line) => trimBoth(line).replace(lookAlikes, asciiOf),
}

const lookAlikes = /[\u2010-\u2015\u2212\u2018-\u201f\u00a0\u2002-\u200a\u202f\u205f\u3000]/g

function asciiOf(character: string): string {
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-'
  if (/[\u2018-\u201b]/.test(character)) return "'"
  return /[\u201c-\u201f]/.test(character) ? '"' : ' '
}

export interface SeekOptions {
  /** The first line that may be part of it; default 0. */
  readonly from?: number
  /** The first line that may not; default: all may. */
  readonly until?: number
  /** It must be the end of the file; there is no falling back to an earlier place. */
  readonly atEnd?: boolean
}

/** A file in which chunks look for their places. */
export interface SoughtFile {
  readonly path: string
  readonly lines: readonly FileLine[]
  readonly texts: readonly string[]
  /**
   * Every place of the first pass that finds any: an exact one far below goes before a look-alike above it. They may
   * overlap. @param pattern not empty
   */
  places(pattern: readonly string[], options?: SeekOptions): readonly Place[]
  /** The patch has searched it for so long that nothing more is found. */
  isSpent(): boolean
  /** For each line, the first line that no longer belongs to the block that it opens. Made when first asked. */
  blockEnds(): readonly number[]
}

export function soughtFile(
  path: string,
  lines: readonly FileLine[],
  budget: SearchBudget = searchBudget(),
): SoughtFile {
  const texts = lines.map(({ text }) => text)
  const searches = new Map<Likeness, LineSearch>()
  const searchFor = (likeness: Likeness): LineSearch => {
    const known = searches.get(likeness) ?? lineSearch(texts.map(normalise[likeness]), budget)
    searches.set(likeness, known)
    return known
  }
  let ends: readonly number[] | undefined
  return {
    path,
    lines,
    texts,
    places(pattern, { atEnd = false, from = 0, until = texts.length } = {}) {
      if (atEnd) return lastPlace(texts, pattern).filter(({ index }) => index >= from)
      for (const likeness of likenesses) {
        const found = searchFor(likeness)(pattern.map(normalise[likeness])).filter(
          (index) => index >= from && index + pattern.length <= until,
        )
        if (found.length > 0) return found.map((index) => ({ index, likeness }))
      }
      return []
    },
    isSpent: () => budget.left < 0,
    blockEnds: () => (ends ??= blockEndsOf(texts)),
  }
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

/** Which lines belong to the one above them, by their indentation: true of nearly all languages, and of prose. */

const columnsOfTab = 4

/**
 * For each line the index of the first line below that does not belong to its block: one that is indented no deeper, unless
 * it is blank, begins by closing a bracket, or only opens one. Linear in the lines.
 */
export function blockEndsOf(texts: readonly string[]): readonly number[] {
  const ends = Array.from(texts, () => texts.length)
  /** Lines below that may end a block, the nearest last; the farther, the less indented. */
  const enders: { readonly index: number; readonly indent: number }[] = []
  for (let index = texts.length - 1; index >= 0; index -= 1) {
    const text = texts[index] ?? ''
    const indent = indentOf(text)
    ends[index] = enders.findLast((ender) => ender.indent <= indent)?.index ?? texts.length
    if (!endsBlocks(text)) continue
    while ((enders.at(-1)?.indent ?? -1) >= indent) enders.pop()
    enders.push({ index, indent })
  }
  return ends
}

function endsBlocks(text: string): boolean {
  const words = text.trim()
  return !/^[)\]}]/.test(words) && !/^[([{]?$/.test(words)
}

function indentOf(text: string): number {
  let indent = 0
  for (const character of text) {
    if (character === ' ') indent += 1
    else if (character === '\t') indent += columnsOfTab
    else break
  }
  return indent
}
