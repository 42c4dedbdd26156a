import pc from 'picocolors'
import type { Line, Tone } from '@donecheck/engine/report'
import { harmless } from '@donecheck/core/base'
import { knownColumns, type CliIo, type OutputStream } from '../process/io.ts'

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

/** A terminal, and nobody has said that they want none. */
export function isColourWelcome({ isTTY }: OutputStream, { environment }: CliIo): boolean {
  return isTTY === true && (environment['NO_COLOR'] ?? '') === ''
}

/** How a line is written to a stream. A terminal gets it broken between its words, and coloured unless NO_COLOR is set. */
export function painter(stream: OutputStream, io: CliIo): (line: Line) => string {
  if (stream.isTTY !== true) return ({ text }) => text
  const coloured = colouring(isColourWelcome(stream, io))
  return ({ tone, text }) => coloured({ tone, text: wrapLines(text, columnsOf(stream)) })
}

/** The tone of a line as a colour, where colour is welcome. */
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

/** Of a terminal; one that does not say has 80. */
export function columnsOf(stream: OutputStream): number {
  return Math.max(20, knownColumns(stream, 80))
}

/** What a person should know, beside what was asked for. */
export function writeNotice(message: string, io: CliIo): void {
  const line: Line = { tone: 'plain', text: `donecheck: ${harmless(message)}` }
  io.stderr.write(`${painter(io.stderr, io)(line)}\n`)
}

/** Lines for standard output. */
export function paintLines(lines: readonly Line[], io: CliIo): string {
  return lines.map(painter(io.stdout, io)).join('\n')
}

/** So that a shell reads the same word. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
