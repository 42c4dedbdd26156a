/** What was compared, and what came of it. */
export interface ReceiptLine {
  /** Place in the statement, such as `predicate.checks.0.verdict.status`, or `events 12 to 15`. */
  readonly what: string
  /** `not-checked`: there was nothing to compare it with. Never a match. */
  readonly status: 'matches' | 'differs' | 'not-checked'
  /** What was computed or found elsewhere; null: nothing. Shortened. */
  readonly expected: string | null
  /** What stands in the receipt; null: nothing. Shortened. */
  readonly found: string | null
  readonly why: string
}

const maxCharacters = 200

export function differs(what: string, expected: unknown, found: unknown, why: string): ReceiptLine {
  return { what, status: 'differs', expected: formatValue(expected), found: formatValue(found), why }
}

export function matches(what: string, value: unknown, why: string): ReceiptLine {
  return { what, status: 'matches', expected: formatValue(value), found: formatValue(value), why }
}

export function notChecked(what: string, found: unknown, why: string): ReceiptLine {
  return { what, status: 'not-checked', expected: null, found: formatValue(found), why }
}

/** One line, for a value that is either as it should be or not. */
export function compareLine(what: string, expected: unknown, found: unknown, why: string): ReceiptLine {
  return expected === found ? matches(what, found, why) : differs(what, expected, found, why)
}

function formatValue(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`
}
