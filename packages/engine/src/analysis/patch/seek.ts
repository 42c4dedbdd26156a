/** Where a run of lines stands in a file: four passes, from exact to look-alike. */
import { trimBoth, trimEnd } from './lines.ts'

/** How alike the lines are: the same; but for white space behind them; around them; and look-alike characters. */
export type Likeness = (typeof likenesses)[number]

export const likenesses = ['exact', 'trailing-space', 'surrounding-space', 'look-alike'] as const

export interface Place {
  /** Counted from 0. */
  readonly index: number
  readonly likeness: Likeness
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
