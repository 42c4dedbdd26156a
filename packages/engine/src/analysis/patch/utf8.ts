/** UTF-8 to text and back, with the words of the reference for what is none. A byte order mark is kept as U+FEFF. */

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  /** `problem`: such as `invalid utf-8 sequence of 1 bytes from index 4`. */
  | { readonly kind: 'invalid'; readonly problem: string }

/** So many code units at once: the call stack holds them as arguments. */
const unitsAtOnce = 8192

/** Strict: overlong forms, surrogates and anything above U+10FFFF are refused. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const parts: string[] = []
  const units = new Uint16Array(unitsAtOnce + 1)
  let count = 0
  const flush = () => {
    parts.push(String(Reflect.apply(String.fromCharCode, undefined, units.subarray(0, count))))
    count = 0
  }
  for (let index = 0; index < bytes.length;) {
    if (count >= unitsAtOnce) flush()
    const first = bytes[index] ?? 0
    const width = first < 0x80 ? 1 : widthOf(first)
    if (width === 1) units[count++] = first
    else {
      const problem = problemAt(bytes, index, width)
      if (problem !== undefined) return { kind: 'invalid', problem }
      const point = pointAt(bytes, index, width)
      if (point > 0xffff) units[count++] = 0xd7c0 + (point >> 10)
      units[count++] = point > 0xffff ? 0xdc00 | (point & 0x3ff) : point
    }
    index += width
  }
  flush()
  return { kind: 'text', text: parts.join('') }
}

/** Half a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let end = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      bytes[end++] = unit
      continue
    }
    const point = wholePointAt(text, index)
    if (point > 0xffff) index += 1
    const width = widthOfPoint(point)
    bytes[end++] = (0xf00 >> width) | (point >> (6 * (width - 1)))
    for (let rest = width - 2; rest >= 0; rest -= 1) bytes[end++] = 0x80 | ((point >> (6 * rest)) & 0x3f)
  }
  return bytes.slice(0, end)
}

function wholePointAt(text: string, index: number): number {
  const point = text.codePointAt(index) ?? 0
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
}

/** Above ASCII. */
function widthOfPoint(point: number): number {
  if (point < 0x800) return 2
  return point < 0x1_00_00 ? 3 : 4
}

/** 0: no character begins with this byte. */
function widthOf(first: number): number {
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

function pointAt(bytes: Uint8Array, index: number, width: number): number {
  let point = (bytes[index] ?? 0) & (0xff >> (width + 1))
  for (let offset = 1; offset < width; offset += 1)
    point = (point << 6) | ((bytes[index + offset] ?? 0) & 0x3f)
  return point
}
