/** Small questions about unknown values, as OpenClaw asks them. */
export type PlainObject = Readonly<Record<string, unknown>>

export function isPlainObject(value: unknown): value is PlainObject {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Blank texts and what is no text count as absent. */
export function trimmed(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** All text blocks of a tool's result, a line each. */
export function textOf(result: PlainObject): string {
  const blocks: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : []
  return blocks
    .filter(isPlainObject)
    .filter(({ type, text }) => typeof type === 'string' && typeof text === 'string')
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

export function detailsOf(result: PlainObject): PlainObject {
  return isPlainObject(result['details']) ? result['details'] : {}
}
