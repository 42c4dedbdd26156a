/** The canonical text of what holds no other values. */

/** Longer texts come in several pieces. */
const pieceLength = 64 * 1024

/** A text with its length in front, so that nothing in it can be taken for what follows it. */
export function* longText(tag: string, text: string): Generator<string, undefined> {
  yield `${tag}${text.length}:`
  for (let start = 0; start < text.length; start += pieceLength) yield text.slice(start, start + pieceLength)
}

export function withTag(tag: string, text: string): string {
  return `${tag}${text.length}:${text}`
}

/** @param value anything but a string and an object that is not null */
export function leafText(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'u;'
    case 'boolean':
      return value ? 'b1;' : 'b0;'
    case 'number':
      return Object.is(value, -0) ? 'd-0;' : `d${value};`
    case 'bigint':
      return `i${value};`
    case 'symbol':
      return symbolText(value)
    case 'function':
      return functionText(value)
    default:
      return 'n;'
  }
}

function symbolText(value: symbol): string {
  const key = Symbol.keyFor(value)
  return key === undefined ? withTag('y', value.description ?? '') : withTag('Y', key)
}

function functionText(value: unknown): string {
  try {
    return withTag('f', Function.prototype.toString.call(value))
  } catch {
    return 'f!;'
  }
}
