/**
 * OpenClaw's text for a value, 2026.9. It is no JSON: `undefined` is written as such, and values of different kinds get the same
 * text (Date, Map, Set and RegExp are all `{}`, NaN is the text "NaN"). Shared references are written out, an ancestor is
 * `"[Circular]"`. `ofText` may change texts and keys before they are written and sorted.
 */
export function stableJson(value: unknown, ofText: (text: string) => string = same): string {
  return write(value, ofText, new Set())
}

function same(text: string): string {
  return text
}

function write(value: unknown, ofText: (text: string) => string, ancestors: Set<object>): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined'
    case 'string':
      return JSON.stringify(ofText(value))
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`
    case 'bigint':
      return `"${value}"`
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value, ofText, ancestors)
    default:
      return 'null'
  }
}

function writeObject(value: object, ofText: (text: string) => string, ancestors: Set<object>): string {
  if (ancestors.has(value)) return '"[Circular]"'
  ancestors.add(value)
  const text = isList(value)
    ? `[${Array.from(value, (entry) => write(entry, ofText, ancestors)).join(',')}]`
    : `{${fieldsOf(value, ofText, ancestors).join(',')}}`
  ancestors.delete(value)
  return text
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value)
}

function fieldsOf(
  value: object,
  ofText: (text: string) => string,
  ancestors: Set<object>,
): readonly string[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(contentOf(value))
  return fields
    .map(([key, field]) => ({ key, written: ofText(key), field }))
    .sort((one, other) => inOrder(one.written, other.written) || inOrder(one.key, other.key))
    .map(({ written, field }) => `${JSON.stringify(written)}:${write(field, ofText, ancestors)}`)
}

function contentOf(value: object): object {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack }
  if (value instanceof Uint8Array) return { type: 'Uint8Array', data: Buffer.from(value).toString('base64') }
  return value
}

function inOrder(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
