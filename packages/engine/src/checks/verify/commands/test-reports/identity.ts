import { createHash } from 'node:crypto'

/** First 12 hex digits of the SHA-256 of a test's name: what the verdict of the baseline tree keeps of it. */
export function digestOfName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

/** How often each of these values is there: two tests may have one name. */
export function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
