import pc from 'picocolors'
import { harmless, oneLine, type Line, type Tone, line } from '@donecheck/core/internal/base'
import { knownColumns, type CliIo, type OutputStream } from '../process/io.ts'

/** East Asian characters take two columns. */
export function widthOf(text: string): number {
  return text.length + (text.match(/[\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFFEF]/g)?.length ?? 0)
}

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

/** Narrower terminals wrap lines themselves. */
const minColumn = 16

/** Indents following lines as deep as the head. */
export function indentText(
  text: string,
  head: string,
  width: number,
  tone: Line['tone'] = 'plain',
): readonly Line[] {
  return wrapText(text, Math.max(minColumn, width - head.length)).map((part, index) =>
    line(tone, `${index === 0 ? head : head.replace(/[^|]/gu, ' ')}${part}`),
  )
}

const headOfLine = /^(?: *\d+\.\d\d {2})?\s*(?:[✓✗?!→·|>–…$-] )?\s*/u

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

export function isColourWelcome({ isTTY }: OutputStream, { environment }: CliIo): boolean {
  return isTTY === true && (environment['NO_COLOR'] ?? '') === ''
}

/** Wraps and colors lines for a terminal; honors NO_COLOR. */
export function painter(stream: OutputStream, io: CliIo): (line: Line) => string {
  if (stream.isTTY !== true) return ({ text }) => text
  const coloured = colouring(isColourWelcome(stream, io))
  return ({ tone, text }) => coloured(line(tone, wrapLines(text, columnsOf(stream))))
}

export function colouring(isColoured: boolean): (line: Line) => string {
  const colours = pc.createColors(isColoured)
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    quiet: colours.dim,
    good: colours.green,
    bad: colours.red,
    warning: colours.yellow,
    strong: colours.bold,
  }
  return ({ tone, text }) => tones[tone](text)
}

export function columnsOf(stream: OutputStream): number {
  return Math.max(20, knownColumns(stream, 80))
}

export function writeNotice(message: string, io: CliIo): void {
  io.stderr.write(`${painter(io.stderr, io)(line('plain', `donecheck: ${harmless(message)}`))}\n`)
}

export function paintLines(lines: readonly Line[], io: CliIo): string {
  return lines.map(painter(io.stdout, io)).join('\n')
}

/** Prints one value as JSON, or as its text or lines. @returns the exit code 0 */
export function print(
  io: CliIo,
  isJson: boolean | undefined,
  value: object,
  text: () => string | readonly Line[],
): number {
  const shown = isJson === true ? JSON.stringify(value) : text()
  io.stdout.write(`${typeof shown === 'string' ? shown : paintLines(shown, io)}\n`)
  return 0
}

export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const maxCell = 120

export function tableText(rows: readonly (readonly string[])[], margin = ''): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell, maxCell)))
  const widthAt = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0))
  const padded = (cell: string, column: number) =>
    /^[$\d.,–-]+$/.test(cell) ? cell.padStart(widthAt(column)) : cell.padEnd(widthAt(column))
  return cells.map((row) => `${margin}${row.map(padded).join('  ')}`.trimEnd()).join('\n')
}
