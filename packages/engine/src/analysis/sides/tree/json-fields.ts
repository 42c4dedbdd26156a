/** The fields of an object in JSON; none where the text is no such object. */

export type Fields = readonly (readonly [string, unknown])[]

export function jsonFields(text: string | null): Fields {
  try {
    return fieldsOf(JSON.parse(text ?? 'null'))
  } catch {
    return []
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
