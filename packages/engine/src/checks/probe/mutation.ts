import { firstFrom } from '../../analysis/source/index.ts'

/** One kind of fault; a selection takes from many kinds. */
export type FaultKind =
  | 'comparison'
  | 'boundary'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'boolean'
  | 'number'
  | 'string'
  | 'return'
  | 'call'
  | 'branch'

/** A small fault that a text could have: what stands from `start` to `end` is replaced. */
export interface Mutation {
  readonly kind: FaultKind
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** What happened to the code, such as "`<` became `>=`". */
  readonly description: string
}

const maxQuoteLength = 60

interface Range {
  readonly start: number
  readonly end: number
}

/** A mutation that says of itself what becomes of what. */
export function replace(kind: FaultKind, text: string, range: Range, replacement: string): Mutation {
  return described(kind, text, range, replacement, `became \`${quoteText(replacement)}\``)
}

/** The same for what is taken away; the replacement is what the language wants in its place. */
export function remove(kind: FaultKind, text: string, range: Range, replacement: string): Mutation {
  return described(kind, text, range, replacement, 'is missing')
}

function described(kind: FaultKind, text: string, { start, end }: Range, replacement: string, what: string) {
  return { kind, start, end, replacement, description: `\`${quoteText(text.slice(start, end))}\` ${what}` }
}

export function plant(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** It changes something, and touches no line but these. */
export function liesOn(
  { start, end, replacement }: Mutation,
  text: string,
  lines: SourceLines,
  changed: ReadonlySet<number>,
): boolean {
  if (text.slice(start, end) === replacement) return false
  const last = lines.lineAt(Math.max(start, end - 1))
  for (let line = lines.lineAt(start); line <= last; line += 1) if (!changed.has(line)) return false
  return true
}

function quoteText(text: string): string {
  const line = text
    .slice(0, 4 * maxQuoteLength)
    .replace(/\s+/gu, ' ')
    .trim()
  return line.length <= maxQuoteLength ? line : `${line.slice(0, maxQuoteLength)}…`
}

/** Which line a place of a text is on. */
export interface SourceLines {
  /** From 1. A line ends with its line feed. */
  lineAt(offset: number): number
}

export function sourceLines(text: string): SourceLines {
  const lines = [{ start: 0 }]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push({ start: at + 1 })
  return { lineAt: (offset) => firstFrom(lines, offset + 1) }
}
