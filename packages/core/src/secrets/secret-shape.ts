/** A shape of keys, and where a text has it. */
export interface SecretShape {
  readonly name: string
  /** A text without any of these has none of that shape: most texts need no look. */
  readonly hints: readonly string[]
  /** What its group `secret` finds is secret, and ends the match; without that group, all of it. */
  readonly source: string
  readonly flags?: 'i'
  /** Absent: every match is one. */
  readonly accepts?: (found: RegExpExecArray, text: string) => boolean
}

/** A pattern of its own for every call, since one that is used for a search remembers where it is. */
export function patternOf({ source, flags }: SecretShape, mark?: string): RegExp {
  return new RegExp(mark === undefined ? source : `${mark}|(?:${source})`, `g${flags ?? ''}`)
}

export interface SecretPart {
  /** Of all that makes it one, such as its name; in UTF-16 units. */
  readonly start: number
  readonly secretStart: number
  readonly end: number
}

/** @param pattern of this shape, with the mark of what is masked already */
export function secretsOf(
  { accepts, hints }: SecretShape,
  text: string,
  pattern: () => RegExp,
): readonly SecretPart[] {
  if (!hints.some((hint) => text.includes(hint))) return []
  return [...text.matchAll(pattern())].flatMap((found) => {
    const { index, 0: all, groups } = found
    if (all.startsWith('[masked:') || accepts?.(found, text) === false) return []
    const end = index + all.length
    return [{ start: index, secretStart: end - (groups?.['secret'] ?? all).length, end }]
  })
}
