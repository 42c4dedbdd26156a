/**
 * The first version of OpenClaw's text for a value: sorted keys, numbers as JSON has them (NaN is null), and what JSON cannot
 * write is `undefined`. What cannot be written at all (a cycle, a bigint) falls back to a word for its kind.
 */
export function classicStableJson(value: unknown): string {
  try {
    return write(value)
  } catch {
    return fallback(value)
  }
}

function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return primitive(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join(',')}}`
}

/** Throws on a bigint, as there. */
function primitive(value: unknown): string {
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? text : 'undefined'
}

function fallback(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Error ? `${value.name}:${value.message}` : Object.prototype.toString.call(value)
}
