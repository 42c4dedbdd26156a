import { closest, distance } from 'fastest-levenshtein'

/** `; did you mean "…"?` where a known name is a few letters away, else the known names; empty where there are none. */
export function orNearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const near = closest(name, known)
  const isNear = distance(name, near) <= Math.max(2, Math.floor(name.length / 3))
  return isNear ? `; did you mean "${near}"?` : `; there are: ${known.join(', ')}`
}
