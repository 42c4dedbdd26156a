/** Where a run of lines stands in a file: four passes, from exact to look-alike. */
import { trimBoth, trimEnd } from './lines.ts'
import { findRuns } from './seek-search.ts'

/** How alike the lines are: the same; but for white space behind them; around them; and look-alike characters. */
export type Likeness = (typeof likenesses)[number]

export const likenesses = ['exact', 'trailing-space', 'surrounding-space', 'look-alike'] as const

export interface Place {
  /** Counted from 0. */
  readonly index: number
  readonly likeness: Likeness
}

export interface SeekOptions {
  /** The first line that may be part of it; default 0. */
  readonly from?: number
  /** It must be the end of the file; there is no falling back to an earlier place. */
  readonly atEnd?: boolean
}

/** The lines of one file, sought many times. */
export interface LineSeeker {
  /** The first place of the first pass that finds any: an exact one far below goes before a look-alike above it. */
  seek(pattern: readonly string[], options?: SeekOptions): Place | undefined
  /** Every place of the first pass that finds any; they may overlap. Empty: none. */
  places(pattern: readonly string[], options?: SeekOptions): readonly Place[]
}

export function lineSeeker(lines: readonly string[]): LineSeeker {
  const forms = new Map<Likeness, readonly string[]>()
  const formOf = (likeness: Likeness): readonly string[] => {
    const known = forms.get(likeness) ?? lines.map(normalise[likeness])
    forms.set(likeness, known)
    return known
  }
  const search = (
    pattern: readonly string[],
    { from = 0, atEnd = false }: SeekOptions,
    most?: number,
  ): readonly Place[] => {
    const start = atEnd ? Math.max(from, lines.length - pattern.length) : from
    if (pattern.length > lines.length - start) return []
    for (const likeness of likenesses) {
      const found = findRuns(formOf(likeness), pattern.map(normalise[likeness]), start, most)
      if (found.length > 0) return found.map((index) => ({ index, likeness }))
    }
    return []
  }
  return {
    seek: (pattern, options = {}) => search(pattern, options, 1)[0],
    places: (pattern, options = {}) => search(pattern, options),
  }
}

/** What is compared in each pass. */
export const normalise: Readonly<Record<Likeness, (line: string) => string>> = {
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
