/** Names of files as they stand in diffs: as they are, or in quotes with the escapes of C for every byte that needs one. */
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
}

const letters = new Map(
  Object.entries(escapes).map(([letter, character]) => [character.charCodeAt(0), letter]),
)

export function quotePath(path: string): string {
  const bytes = [...encodeUtf8(path)]
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f && !letters.has(byte))) return path
  const escaped = bytes.map((byte) => {
    const letter = letters.get(byte)
    if (letter !== undefined) return `\\${letter}`
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${escaped.join('')}"`
}

/** The name and what follows it; undefined: the quotes are not closed, or hold what is no escape. */
export function readQuotedPath(text: string): { readonly path: string; readonly rest: string } | undefined {
  const quoted = /^"((?:[^"\\]|\\[0-3][0-7]{2}|\\[abtnvfr"\\])*)"/.exec(text)
  if (quoted === null) return undefined
  const bytes: number[] = []
  for (const [part] of (quoted[1] ?? '').matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/g)) {
    const isOctal = /^\\[0-3]/.test(part)
    if (isOctal) bytes.push(Number.parseInt(part.slice(1), 8))
    else bytes.push(...encodeUtf8(part.startsWith('\\') ? (escapes[part.slice(1)] ?? '') : part))
  }
  const decoded = decodeUtf8(Uint8Array.from(bytes))
  return decoded.kind === 'text' ? { path: decoded.text, rest: text.slice(quoted[0].length) } : undefined
}
