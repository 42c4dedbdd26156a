import type { Line } from '@donecheck/engine/report'

/** Columns on a terminal. Signs of East Asian writing take two. */
export function widthOf(text: string): number {
  return text.length + (text.match(/[\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFFEF]/g)?.length ?? 0)
}

/** Breaks a text between its words. A word that is longer than a line stands on its own. */
export function wrapText(text: string, maxColumns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > maxColumns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** A column is never made narrower: a terminal that is, breaks the lines itself. */
const minColumn = 16

/** The head stands before the first line, and as many blanks before the others, beside the bar of a quotation. */
export function indentText(
  text: string,
  head: string,
  width: number,
  tone: Line['tone'] = 'plain',
): readonly Line[] {
  return wrapText(text, Math.max(minColumn, width - head.length)).map((line, index) => ({
    tone,
    text: `${index === 0 ? head : head.replace(/[^|]/gu, ' ')}${line}`,
  }))
}

/** What stands before the words: the time in a timeline, blanks, a mark. */
const headOfLine = /^(?: *\d+\.\d\d {2})?\s*(?:[✓✗?!→·|>–…$-] )?\s*/u

/** Lines that are too long for a terminal, broken between their words and indented as they began. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [head] = headOfLine.exec(line) ?? ['']
      return widthOf(line) <= width
        ? [line]
        : indentText(line.slice(head.length), head, width).map((part) => part.text)
    })
    .join('\n')
}
