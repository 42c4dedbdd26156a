/** Reading objects of an SDK that is not at hand here: instances of its classes too, with fields that only a getter has. */

/** Undefined: it is no object, or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return field
}

export function textField(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** Empty for all that is no list. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

/** Undefined for all that cannot be a count. */
export function countField(value: unknown, name: string): number | undefined {
  const count = fieldOf(value, name)
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined
}
