/** UTF-8 to text and back, with the words of the reference for what is none. A byte order mark is kept as U+FEFF. */

export type Decoded =
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
