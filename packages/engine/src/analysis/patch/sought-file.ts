/** Where a run of lines stands in a file: four passes, from exact to look-alike. */
import type { FileLine } from './file-text.ts'

/** How alike the lines are: the same; but for white space behind them; around them; and look-alike characters. */
export type Likeness = (typeof likenesses)[number]

const likenesses = ['exact', 'trailing-space', 'surrounding-space', 'look-alike'] as const

export interface Place {
  /** Counted from 0. */
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
  /** The first line that may be part of it; default 0. */
  readonly from?: number
  /** The first line that may not; default: all may. */
  readonly until?: number
  /** It must be the end of the file; there is no falling back to an earlier place. */
  readonly atEnd?: boolean
}

/** Comparisons of lines that a patch may cost in one file: about a second. Then nothing more is found. */
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

  /** Returns every place of the first pass that finds any; places may overlap. @param pattern not empty */
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

  /** The first line below that is not in the block that a line opens. */
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

/** Returns for each line the first line below it that is outside its block, by indentation. Linear in the lines. */
function findBlockEnds(texts: readonly string[]): readonly number[] {
  const ends = texts.map(() => texts.length)
  /** Lines below that may end a block, the nearest last; the farther, the less indented. */
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
