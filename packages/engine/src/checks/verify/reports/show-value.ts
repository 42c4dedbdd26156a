const maxValueLength = 200

/** Any value in a few words, for a sentence about it. Never throws. */
export function showValue(value: unknown): string {
  const shown = asText(value)
  return shown.length > maxValueLength ? `${shown.slice(0, maxValueLength).toWellFormed()}…` : shown
}

function asText(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined'
    case 'function':
      return 'a function'
    case 'symbol':
      return 'a symbol'
    case 'number':
    case 'bigint':
      return String(value)
    case 'string':
    case 'boolean':
    case 'object':
      return asJson(value)
  }
}

function asJson(value: unknown): string {
  try {
    // JSON has no word for what `toJSON` may answer.
    const json: unknown = JSON.stringify(value)
    return typeof json === 'string' ? json : 'a value without JSON'
  } catch {
    return 'a value without JSON'
  }
}

/** What was thrown, in its own words. Never throws. */
export function showThrown(error: unknown): string {
  try {
    if (error instanceof Error && error.message !== '') return error.message
    return typeof error === 'string' ? error : showValue(error instanceof Error ? error.name : error)
  } catch {
    return 'a value that cannot be read'
  }
}
