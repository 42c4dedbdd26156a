/** Of a note, in the record. */
const maxNoteLength = 500

/** Text of at most so many characters, well-formed. */
export function boundText(text: string, maxCharacters = maxNoteLength): string {
  const whole = text.toWellFormed()
  return whole.length <= maxCharacters ? whole : `${whole.slice(0, maxCharacters - 1).toWellFormed()}…`
}

/** What was thrown, in its own words. Never throws. */
export function showThrown(error: unknown): string {
  try {
    if (error instanceof Error) {
      const message: unknown = error.message
      return boundText(typeof message === 'string' && message !== '' ? message : error.name)
    }
    return boundText(typeof error === 'string' ? error : `it threw ${showValue(error)}`)
  } catch {
    return 'it threw a value that cannot be read'
  }
}

/** A value in a few words. Never throws. */
export function showValue(value: unknown): string {
  try {
    const json: unknown = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
    return typeof json === 'string' ? boundText(json, 100) : `a value of type ${typeof value}`
  } catch {
    return `a value of type ${typeof value}`
  }
}
