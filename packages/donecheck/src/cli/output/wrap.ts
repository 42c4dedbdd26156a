import type { Line } from '@donecheck/engine/report'

/** Breaks a text between its words. A word that is longer than a line stands on its own. */
export function wrapText(text: string, maxCharacters: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > maxCharacters) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** A column is never made narrower: a terminal that is, breaks the lines itself. */
const minColumn = 16

/** The head stands before the first line, and as many blanks before the others. */
export function indentText(
  text: string,
  head: string,
  width: number,
  tone: Line['tone'] = 'plain',
): readonly Line[] {
  return wrapText(text, Math.max(minColumn, width - head.length)).map((line, index) => ({
    tone,
    text: `${index === 0 ? head : ' '.repeat(head.length)}${line}`,
  }))
}
