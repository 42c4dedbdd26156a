/** A rule that is not one; the doors turn it into a value or into a `UsageError`. Never leaves this folder. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault'
}

/** How a value is quoted in a complaint: short, on one line. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'function' || typeof value === 'symbol' ? typeof value : JSON.stringify(value)
  const known = (text as string | undefined) ?? 'undefined'
  return known.length > 80 ? `${known.slice(0, 79)}…` : known
}
