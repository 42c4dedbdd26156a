import pc from 'picocolors'
import { harmless } from '@donecheck/core/base'
import type { Line, Tone } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import { wrapLines } from './wrap.ts'

/** How a line is written to a stream. A terminal gets it broken between its words, and coloured unless NO_COLOR is set. */
export function painter(stream: NodeJS.WriteStream, { environment }: CliIo): (line: Line) => string {
  if (!stream.isTTY) return ({ text }) => text
  const colours = pc.createColors((environment['NO_COLOR'] ?? '') === '')
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    quiet: colours.dim,
    good: colours.green,
    bad: colours.red,
    warning: colours.yellow,
    strong: colours.bold,
  }
  return ({ tone, text }) => tones[tone](wrapLines(text, columnsOf(stream)))
}

/** Of a terminal; one that does not say has 80. */
export function columnsOf({ columns }: NodeJS.WriteStream): number {
  return Math.max(20, columns || 80)
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
