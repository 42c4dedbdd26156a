interface TextFormat {
  /** `8-bit` is any non-UTF-8 encoding: only its ASCII characters are known. */
  readonly encoding: 'utf-8' | '8-bit'
  readonly hasByteOrderMark: boolean
}

interface TextFile {
  readonly kind: 'text'
  readonly text: string
  readonly format: TextFormat
}

type DecodedFile =
  | TextFile
  /** A predicate, such as `is binary: it holds NUL bytes`. */
  | { readonly kind: 'not-text'; readonly problem: string }

const byteOrderMark = '\ufeff'

/** Decodes UTF-8 or any 8-bit encoding without NUL bytes. UTF-16 is refused by its byte order mark. */
export function decodeTextFile(bytes: Uint8Array): DecodedFile {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { kind: 'not-text', problem: 'is UTF-16, and not UTF-8' }
  if (bytes.includes(0)) return { kind: 'not-text', problem: 'is binary: it holds NUL bytes' }
  const decoded = decodeUtf8(bytes)
  if (decoded === undefined) {
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    return { kind: 'text', text, format: { encoding: '8-bit', hasByteOrderMark: false } }
  }
  const hasByteOrderMark = decoded.startsWith(byteOrderMark)
  const text = hasByteOrderMark ? decoded.slice(1) : decoded
  return { kind: 'text', text, format: { encoding: 'utf-8', hasByteOrderMark } }
}

/** Includes the byte order mark as U+FEFF. */
export function textWithMark({ text, format }: TextFile): string {
  return format.hasByteOrderMark ? byteOrderMark + text : text
}

/** Inverts `decodeTextFile`. Characters of an 8-bit text must be below U+0100. */
export function encodeTextFile(text: string, format: TextFormat): Uint8Array {
  return format.encoding === 'utf-8'
    ? encodeUtf8(textWithMark({ kind: 'text', text, format }))
    : Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}

/** Whether the text fits the encoding: an unknown 8-bit encoding takes ASCII only. */
export function canHold({ encoding }: TextFormat, text: string): boolean {
  return encoding === 'utf-8' || !/[^\0-\x7f]/.test(text)
}

export interface FileLine {
  readonly text: string
  /** Empty for the last line of a file without a final newline. */
  readonly end: LineEnd
}

type LineEnd = '' | '\n' | '\r\n'

export function splitLines(text: string): readonly FileLine[] {
  const pieces = text.split('\n')
  const last = pieces.pop() ?? ''
  const lines = pieces.map((piece): FileLine => {
    const isWindows = piece.endsWith('\r')
    return isWindows ? { text: piece.slice(0, -1), end: '\r\n' } : { text: piece, end: '\n' }
  })
  return last === '' ? lines : [...lines, { text: last, end: '' }]
}

export function joinLines(lines: readonly FileLine[]): string {
  return lines.map(({ text, end }) => text + end).join('')
}

export function usualEnd(lines: readonly FileLine[]): LineEnd {
  const windows = lines.filter(({ end }) => end === '\r\n').length
  return windows > lines.filter(({ end }) => end === '\n').length ? '\r\n' : '\n'
}

/** Declared here because the pure rooms have neither Node nor DOM types. */
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly fatal: true; readonly ignoreBOM: true },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** Decodes UTF-8 and keeps the byte order mark as U+FEFF. @returns undefined if it is not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Half a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

type RelativePath =
  /** Path without empty parts, `.` or `..`. */
  { readonly kind: 'relative'; readonly path: string } | { readonly kind: 'bad'; readonly reason: string }

/** Removes `./` and doubled slashes; refuses any `..` that leaves the root, even if the path comes back. */
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
  if (/^[a-z]:/i.test(written)) return 'begins with an agent: write it relative to the root'
  if (written.includes('\\')) return 'holds a backslash: write / between its parts'
  if (written.split('/').includes('..')) return 'has a .. part: write it relative to the root, without ..'
  if (/(^|\/)\.?$/.test(written)) return 'names a folder, not a file'
  return undefined
}
