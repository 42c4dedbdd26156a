import { nearest } from '@donecheck/core/base'

/** `; did you mean "…"?` where a known name is a few letters away, else the known names; empty where there are none. */
export function orNearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const near = nearest(name, known)
  return near === undefined ? `; there are: ${known.join(', ')}` : `; did you mean "${near}"?`
}
