import pc from 'picocolors'
import { harmless } from '@donecheck/core/base'
import type { Line, Tone } from '@donecheck/engine/report'
import { knownColumns, type CliIo, type OutputStream } from '../process/io.ts'
import { wrapLines } from './wrap.ts'

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
