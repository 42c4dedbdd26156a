/** Files as texts and their lines, and back to the very same bytes wherever the text was not changed. */
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

/** `8-bit`: none of the others; every byte stands for one character, and which one is known for ASCII only. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit'

export interface TextFormat {
  readonly encoding: TextEncoding
  readonly hasByteOrderMark: boolean
}

export interface TextFile {
  readonly kind: 'text'
  /** Without its byte order mark. */
  readonly text: string
  readonly format: TextFormat
}

export type DecodedFile =
  | TextFile
  /** What it is instead, such as `is binary: it holds NUL bytes`. */
  | { readonly kind: 'not-text'; readonly problem: string }

/** What a new file is. */
export const plainUtf8: TextFormat = { encoding: 'utf-8', hasByteOrderMark: false }

const byteOrderMark = '\ufeff'

/** UTF-8, UTF-16 with its mark, and any 8-bit encoding; without NUL bytes where a character may be one byte. */
export function decodeTextFile(bytes: Uint8Array): DecodedFile {
  const wide = wideEncodingOf(bytes)
  if (wide !== undefined) return decodeWide(bytes, wide)
  if (bytes.includes(0)) return { kind: 'not-text', problem: 'is binary: it holds NUL bytes' }
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') {
    const hasByteOrderMark = decoded.text.startsWith(byteOrderMark)
    const text = hasByteOrderMark ? decoded.text.slice(1) : decoded.text
    return { kind: 'text', text, format: { encoding: 'utf-8', hasByteOrderMark } }
  }
  const text = fromUnits(bytes.length, (index) => bytes[index] ?? 0)
  return { kind: 'text', text, format: { encoding: '8-bit', hasByteOrderMark: false } }
}

/** With its byte order mark, as U+FEFF: two files that differ in it differ in this text. */
export function textWithMark({ text, format }: TextFile): string {
  return format.hasByteOrderMark ? byteOrderMark + text : text
}

/** The inverse of `decodeTextFile`. In an 8-bit text every character must be below U+0100. */
export function encodeTextFile(text: string, { encoding, hasByteOrderMark }: TextFormat): Uint8Array {
  const whole = hasByteOrderMark ? byteOrderMark + text : text
  if (encoding === 'utf-8') return encodeUtf8(whole)
  if (encoding === '8-bit')
    return Uint8Array.from({ length: whole.length }, (_, index) => whole.charCodeAt(index))
  const bytes = new Uint8Array(whole.length * 2)
  const [high, low] = encoding === 'utf-16be' ? [0, 1] : [1, 0]
  for (let index = 0; index < whole.length; index += 1) {
    const unit = whole.charCodeAt(index)
    bytes[index * 2 + high] = unit >> 8
    bytes[index * 2 + low] = unit & 0xff
  }
  return bytes
}

/** Whether a line may be put into a text: of an unknown 8-bit encoding only ASCII is known. */
export function canHold({ encoding }: TextFormat, line: string): boolean {
  return encoding !== '8-bit' || isAscii(line)
}

export function isAscii(line: string): boolean {
  return !/[^\0-\x7f]/.test(line)
}

function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function decodeWide(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedFile {
  if (bytes.length % 2 === 1)
    return { kind: 'not-text', problem: 'is no UTF-16: half a character is left over' }
  const [high, low] = encoding === 'utf-16be' ? [0, 1] : [1, 0]
  const text = fromUnits(bytes.length / 2 - 1, (index) => {
    const start = index * 2 + 2
    return ((bytes[start + high] ?? 0) << 8) | (bytes[start + low] ?? 0)
  })
  return { kind: 'text', text, format: { encoding, hasByteOrderMark: true } }
}

/** So many code units at once: the call stack holds them as arguments. */
const unitsAtOnce = 8192

function fromUnits(count: number, unitAt: (index: number) => number): string {
  const parts: string[] = []
  const units = new Uint16Array(unitsAtOnce)
  for (let start = 0; start < count; start += unitsAtOnce) {
    const length = Math.min(unitsAtOnce, count - start)
    for (let offset = 0; offset < length; offset += 1) units[offset] = unitAt(start + offset)
    parts.push(String(Reflect.apply(String.fromCharCode, undefined, units.subarray(0, length))))
  }
  return parts.join('')
}

/** A line of a file, with the end that it has. */
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
