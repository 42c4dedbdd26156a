import { Buffer, isUtf8 } from 'node:buffer'

/** How a text stands in its file. */
export interface TextFormat {
  readonly hasByteOrderMark: boolean
  /** `crlf`: every line ends so. A file of mixed line endings is `lf`, and its carriage returns are part of the text. */
  readonly lineEnding: 'lf' | 'crlf'
}

export type DecodedFile =
  | { readonly kind: 'text'; readonly text: string; readonly format: TextFormat }
  /** It holds NUL bytes. */
  | { readonly kind: 'binary' }
  /** A text in another encoding, or something else. */
  | { readonly kind: 'not-utf8' }

const byteOrderMark = '\ufeff'

/** The text without byte order mark and with line feeds alone, and what `encodeText` needs to write it as it was. */
export function decodeText(bytes: Buffer): DecodedFile {
  if (bytes.includes(0)) return { kind: 'binary' }
  if (!isUtf8(bytes)) return { kind: 'not-utf8' }
  const whole = bytes.toString()
  const hasByteOrderMark = whole.startsWith(byteOrderMark)
  const text = hasByteOrderMark ? whole.slice(1) : whole
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const format = { hasByteOrderMark, lineEnding: isCrlf ? ('crlf' as const) : ('lf' as const) }
  return { kind: 'text', text: isCrlf ? text.replaceAll('\r\n', '\n') : text, format }
}

export function encodeText(text: string, { hasByteOrderMark, lineEnding }: TextFormat): Buffer {
  const lines = lineEnding === 'crlf' ? text.replaceAll('\n', '\r\n') : text
  return Buffer.from((hasByteOrderMark ? byteOrderMark : '') + lines)
}

/** Lines without their ends; the end of the last line begins no further one. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
