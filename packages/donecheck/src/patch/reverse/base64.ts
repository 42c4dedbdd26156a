/** Base 64 of RFC 4648, with padding: the language has none of its own yet. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.subarray(index, index + 3)
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    parts.push(
      alphabet.charAt(bits >> 18) +
        alphabet.charAt((bits >> 12) & 63) +
        (second === undefined ? '=' : alphabet.charAt((bits >> 6) & 63)) +
        (third === undefined ? '=' : alphabet.charAt(bits & 63)),
    )
  }
  return parts.join('')
}

/** Undefined: it is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  for (let index = 0, end = 0; index < text.length; index += 4) {
    let bits = 0
    for (let offset = 0; offset < 4; offset += 1)
      bits = (bits << 6) | (valueOf.get(text.charAt(index + offset)) ?? 0)
    for (const shift of [16, 8, 0]) if (end < bytes.length) bytes[end++] = (bits >> shift) & 0xff
  }
  return bytes
}

const valueOf = new Map(Array.from({ length: 64 }, (_, value) => [alphabet.charAt(value), value]))
