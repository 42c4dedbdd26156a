/** White space as Unicode has it (which is not what `trim` of the language takes off), and the lines of a patch. */

const space = /^\p{White_Space}$/u

/** U+FEFF is content, U+0085 is space. Every white space character is one code unit. */
function isSpaceAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return !(unit > 0x20 && unit < 0x85) && space.test(text.charAt(index))
}

export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpaceAt(text, end - 1)) end -= 1
  return text.slice(0, end)
}

export function trimBoth(text: string): string {
  const trimmed = trimEnd(text)
  let start = 0
  while (start < trimmed.length && isSpaceAt(trimmed, start)) start += 1
  return trimmed.slice(start)
}

/**
 * Split at line feeds; up to two carriage returns before each go too. All other control characters are content.
 * The last line is what follows the last line feed, empty or not, and keeps its carriage returns.
 */
export function patchLinesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return lines.map((line) => withoutReturn(withoutReturn(line))).concat(last)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

interface TextFormat {
  /** `8-bit`: not UTF-8. Every byte stands for one character, and which one is known for ASCII only. */
  readonly encoding: 'utf-8' | '8-bit'
  readonly hasByteOrderMark: boolean
}

interface TextFile {
  readonly kind: 'text'
  /** Without its byte order mark. */
  readonly text: string
  readonly format: TextFormat
}

type DecodedFile =
  | TextFile
  /** A predicate, such as `is binary: it holds NUL bytes`. */
  | { readonly kind: 'not-text'; readonly problem: string }

const byteOrderMark = '\ufeff'

/** UTF-8 or any 8-bit encoding, without NUL bytes; UTF-16 is refused by its mark, since not all of it has some. */
export function decodeTextFile(bytes: Uint8Array): DecodedFile {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { kind: 'not-text', problem: 'is UTF-16, and not UTF-8' }
  if (bytes.includes(0)) return { kind: 'not-text', problem: 'is binary: it holds NUL bytes' }
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'invalid') {
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    return { kind: 'text', text, format: { encoding: '8-bit', hasByteOrderMark: false } }
  }
  const hasByteOrderMark = decoded.text.startsWith(byteOrderMark)
  const text = hasByteOrderMark ? decoded.text.slice(1) : decoded.text
  return { kind: 'text', text, format: { encoding: 'utf-8', hasByteOrderMark } }
}

/** With its byte order mark, as U+FEFF: two files that differ in it differ in this text. */
export function textWithMark({ text, format }: TextFile): string {
  return format.hasByteOrderMark ? byteOrderMark + text : text
}

/** The inverse of `decodeTextFile`. In an 8-bit text every character must be below U+0100. */
export function encodeTextFile(text: string, format: TextFormat): Uint8Array {
  return format.encoding === 'utf-8'
    ? encodeUtf8(textWithMark({ kind: 'text', text, format }))
    : Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}

/** Whether a text may be put into a file: of an unknown 8-bit encoding only ASCII is known. */
export function canHold({ encoding }: TextFormat, text: string): boolean {
  return encoding === 'utf-8' || !/[^\0-\x7f]/.test(text)
}

/** A line of a file, with the end that it has. */
export interface FileLine {
  readonly text: string
  /** Empty: the last line of a file without a final newline. */
  readonly end: LineEnd
}

export type LineEnd = '' | '\n' | '\r\n' | '\r'

export function splitLines(text: string): readonly FileLine[] {
  const lines: FileLine[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, index), end: end === '\n' ? '\n' : end === '\r\n' ? '\r\n' : '\r' })
    start = index + end.length
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: '' })
  return lines
}

export function joinLines(lines: readonly FileLine[]): string {
  return lines.map(({ text, end }) => text + end).join('')
}

/** The end that most lines have. A lone carriage return counts only if there is nothing else. */
export function usualEnd(lines: readonly FileLine[]): LineEnd {
  const count = (wanted: LineEnd) => lines.filter(({ end }) => end === wanted).length
  const [unix, windows] = [count('\n'), count('\r\n')]
  if (unix + windows === 0) return count('\r') > 0 ? '\r' : '\n'
  return windows > unix ? '\r\n' : '\n'
}

/** A problem is worded as the reference implementation words it. A byte order mark is kept as U+FEFF. */
type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  /** `problem`: such as `invalid utf-8 sequence of 1 bytes from index 4`. */
  | { readonly kind: 'invalid'; readonly problem: string }

/** Node and browsers have them; the pure rooms see the types of neither. */
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: true },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** Strict: overlong forms, surrogates and anything above U+10FFFF are refused. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  for (let index = 0; index < bytes.length;) {
    const width = widthOf(bytes[index] ?? 0)
    const problem = width === 1 ? undefined : problemAt(bytes, index, width)
    if (problem !== undefined) return { kind: 'invalid', problem }
    index += width
  }
  return { kind: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

/** Half a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** 0: no character begins with this byte. */
function widthOf(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2) return 0
  if (first < 0xe0) return 2
  if (first < 0xf0) return 3
  return first < 0xf5 ? 4 : 0
}

function problemAt(bytes: Uint8Array, index: number, width: number): string | undefined {
  if (width === 0) return invalid(1, index)
  for (let offset = 1; offset < width; offset += 1) {
    const byte = bytes[index + offset]
    if (byte === undefined) return `incomplete utf-8 byte sequence from index ${index}`
    const [lowest, highest] = offset === 1 ? secondRange(bytes[index] ?? 0) : [0x80, 0xbf]
    if (byte < lowest || byte > highest) return invalid(offset, index)
  }
  return undefined
}

function invalid(count: number, index: number): string {
  return `invalid utf-8 sequence of ${count} bytes from index ${index}`
}

/** Narrower after some first bytes, so that nothing overlong, no surrogate and nothing too large gets in. */
function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}

type RelativePath =
  /** `/` between its parts, none of them empty, `.` or `..`. */
  | { readonly kind: 'relative'; readonly path: string }
  /** One sentence that names the path. */
  | { readonly kind: 'bad'; readonly reason: string }

/** `./` and doubled slashes are taken off; whatever could leave the root is refused, even where it would come back. */
export function relativePathOf(written: string): RelativePath {
  const problem = problemOf(written)
  if (problem !== undefined) return { kind: 'bad', reason: `the path ${JSON.stringify(written)} ${problem}` }
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0) return { kind: 'bad', reason: `the path ${JSON.stringify(written)} names no file` }
  return { kind: 'relative', path: parts.join('/') }
}

function problemOf(written: string): string | undefined {
  if (written === '') return 'is empty'
  if (/[^\P{Cc}\u0080-\u009f]/u.test(written)) return 'holds a control character'
  if (written.startsWith('/')) return 'is absolute: write it relative to the root'
  if (/^[a-z]:/i.test(written)) return 'begins with a drive: write it relative to the root'
  if (written.includes('\\')) return 'holds a backslash: write / between its parts'
  if (written.split('/').includes('..')) return 'has a .. part: write it relative to the root, without ..'
  if (/(^|\/)\.?$/.test(written)) return 'names a folder, not a file'
  return undefined
}
