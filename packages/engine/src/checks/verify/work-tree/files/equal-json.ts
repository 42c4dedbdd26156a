/**
 * Whether a value is that JSON, strictly: 1 is neither true nor "1", an extra key or member is a difference, the order of
 * keys is none. NaN equals nothing.
 */
export function equalJson(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(expected) !== Array.isArray(value)) return false
  const one = new Map(Object.entries(value))
  const other = Object.entries(expected)
  return (
    one.size === other.length &&
    other.every(([key, wanted]) => one.has(key) && equalJson(one.get(key), wanted))
  )
}
