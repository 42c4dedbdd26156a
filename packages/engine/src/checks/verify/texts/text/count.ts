/** What can be counted in a text. */
export type TextUnit = 'characters' | 'words' | 'lines'

export const textUnits: readonly TextUnit[] = ['characters', 'words', 'lines']

/**
 * Characters are Unicode code points. A word is a run without white space that has a letter or a digit in it: dashes and
 * invisible characters fill no quota. A line break at the end begins no line.
 */
export function countOf(unit: TextUnit, text: string): number {
  switch (unit) {
    case 'characters':
      return Array.from(text).length
    case 'words':
      return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length
    case 'lines':
      return text === '' ? 0 : text.replace(/\r?\n$/, '').split('\n').length
  }
}
