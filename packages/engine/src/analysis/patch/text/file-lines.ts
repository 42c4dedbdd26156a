/** The lines of a file, each with the end that it has. */

export interface FileLine {
  readonly text: string
  /** Empty: the last line of a file without a final newline. */
  readonly end: LineEnd
}

export type LineEnd = '' | '\n' | '\r\n' | '\r'

/** @param loneReturns whether a carriage return that no line feed follows ends a line too; otherwise it is content */
export function splitLines(text: string, loneReturns: 'end' | 'content'): readonly FileLine[] {
  const lines: FileLine[] = []
  const ends = loneReturns === 'end' ? /\r\n|\n|\r/g : /\r\n|\n/g
  let start = 0
  for (const { 0: end, index } of text.matchAll(ends)) {
    lines.push({ text: text.slice(start, index), end: end === '\n' ? '\n' : end === '\r\n' ? '\r\n' : '\r' })
    start = index + end.length
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: '' })
  return lines
}

export function joinLines(lines: readonly FileLine[]): string {
  return lines.map(({ text, end }) => text + end).join('')
}

/** The end that most lines have. A lone carriage return counts only where there is nothing else. */
export function usualEnd(lines: readonly FileLine[]): LineEnd {
  let [unix, windows, old] = [0, 0, 0]
  for (const { end } of lines) {
    if (end === '\n') unix += 1
    else if (end === '\r\n') windows += 1
    else if (end === '\r') old += 1
  }
  if (unix + windows === 0) return old > 0 ? '\r' : '\n'
  return windows > unix ? '\r\n' : '\n'
}
