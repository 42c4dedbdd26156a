/** Finds a run of lines in a file in four passes, from exact to look-alike. */
import type { FileLine } from './file-text.ts'

/** Exact; ignoring trailing white space; ignoring surrounding white space; ignoring look-alike characters. */
export type Likeness = (typeof likenesses)[number]

const likenesses = ['exact', 'trailing-space', 'surrounding-space', 'look-alike'] as const

export interface Place {
  /** From 0. */
  readonly index: number
  readonly likeness: Likeness
}

const normalize: Readonly<Record<Likeness, (line: string) => string>> = {
  exact: (line) => line,
  'trailing-space': (line) => line.trimEnd(),
  'surrounding-space': (line) => line.trim(),
  'look-alike': (line) => line.trim().replace(lookAlikes, toAscii),
}

const lookAlikes = /[\u2010-\u2015\u2212\u2018-\u201f\u00a0\u2002-\u200a\u202f\u205f\u3000]/g

function toAscii(character: string): string {
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-'
  if (/[\u2018-\u201b]/.test(character)) return "'"
  return /[\u201c-\u201f]/.test(character) ? '"' : ' '
}

interface SeekOptions {
  /** First allowed line; default 0. */
  readonly from?: number
  /** First line no longer allowed; default: none. */
  readonly until?: number
  /** Must match at the end of the file. */
  readonly atEnd?: boolean
}

/** Line comparisons per patch and file, about one second. Above it the search finds nothing. */
const maxComparisons = 100_000_000

export class SoughtFile {
  readonly path: string
  readonly lines: readonly FileLine[]
  readonly #texts: readonly string[]
  readonly #indexes = new Map<Likeness, LineIndex>()
  #comparisons = 0
  #blockEnds: readonly number[] | undefined

  constructor(path: string, lines: readonly FileLine[]) {
    this.path = path
    this.lines = lines
    this.#texts = lines.map(({ text }) => text)
  }

  /** Returns all matches of the first pass that finds any; they may overlap. @param pattern not empty */
  places(
    pattern: readonly string[],
    { from = 0, until = this.lines.length, atEnd = false }: SeekOptions = {},
  ): readonly Place[] {
    for (const likeness of likenesses) {
      const wanted = pattern.map(normalize[likeness])
      const found = atEnd ? this.#atEnd(wanted, likeness) : this.#search(wanted, likeness)
      const places = found.filter((index) => index >= from && index + pattern.length <= until)
      if (places.length > 0) return places.map((index) => ({ index, likeness }))
    }
    return []
  }

  isSpent(): boolean {
    return this.#comparisons > maxComparisons
  }

  /** Returns the first line after the block that the line opens. */
  blockEnd(index: number): number {
    this.#blockEnds ??= findBlockEnds(this.#texts)
    return this.#blockEnds[index] ?? this.lines.length
  }

  #atEnd(wanted: readonly string[], likeness: Likeness): readonly number[] {
    const start = this.#texts.length - wanted.length
    const isHere = wanted.every(
      (line, offset) => line === normalize[likeness](this.#texts[start + offset] ?? ''),
    )
    return start >= 0 && isHere ? [start] : []
  }

  #search(wanted: readonly string[], likeness: Likeness): readonly number[] {
    const { lines, starts } = this.#indexOf(likeness)
    const found: number[] = []
    for (const start of starts.get(wanted[0] ?? '') ?? []) {
      if (this.isSpent()) return []
      const differing = wanted.findIndex((line, offset) => lines[start + offset] !== line)
      this.#comparisons += differing === -1 ? wanted.length : differing + 1
      if (differing === -1) found.push(start)
    }
    return found
  }

  #indexOf(likeness: Likeness): LineIndex {
    const known = this.#indexes.get(likeness)
    if (known !== undefined) return known
    const lines = this.#texts.map(normalize[likeness])
    const index = { lines, starts: Map.groupBy(lines.keys(), (line) => lines[line] ?? '') }
    this.#indexes.set(likeness, index)
    return index
  }
}

interface LineIndex {
  readonly lines: readonly string[]
  readonly starts: ReadonlyMap<string, readonly number[]>
}

const columnsOfTab = 4

/** Returns the end of each line's block, by indentation. Linear in the lines. */
function findBlockEnds(texts: readonly string[]): readonly number[] {
  const ends = texts.map(() => texts.length)
  const enders: { readonly index: number; readonly indent: number }[] = []
  for (const [index, text] of [...texts.entries()].reverse()) {
    const indent = (/^[ \t]*/.exec(text)?.[0] ?? '').replaceAll('\t', ' '.repeat(columnsOfTab)).length
    ends[index] = enders.findLast((ender) => ender.indent <= indent)?.index ?? texts.length
    const trimmed = text.trim()
    if (/^[)\]}]/.test(trimmed) || /^[([{]?$/.test(trimmed)) continue
    while ((enders.at(-1)?.indent ?? -1) >= indent) enders.pop()
    enders.push({ index, indent })
  }
  return ends
}
