/**
 * One text for one value, after RFC 8785: keys sorted by their UTF-16 units, no spaces, numbers as ECMAScript writes
 * them. What JSON cannot hold is treated as `JSON.stringify` does: an undefined field is left out, NaN becomes null.
 * Half a surrogate pair, which the RFC forbids, is written as its escape.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return primitive(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`
}

function primitive(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value)
}
