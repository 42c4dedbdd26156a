/** Literals and names in normalised source, of any language. */

const pattern =
  /(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(?<number>\b\d[\w.]*)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|\S/gsu

interface Word {
  readonly kind: 'string' | 'number' | 'name' | 'sign'
  readonly text: string
}

/** In order. */
export function wordsOf(source: string): readonly Word[] {
  return [...source.matchAll(pattern)].map(({ 0: text, groups }): Word => {
    if (groups?.['string'] !== undefined) return { kind: 'string', text: `"${text.slice(1, -1)}"` }
    if (groups?.['number'] !== undefined) return { kind: 'number', text }
    return { kind: groups?.['name'] === undefined ? 'sign' : 'name', text }
  })
}

/** Strings and numbers. */
export function literalsOf(source: string): ReadonlySet<string> {
  const words = wordsOf(source).filter(({ kind }) => kind === 'string' || kind === 'number')
  return new Set(words.map(({ text }) => text))
}

export function namesOf(source: string): ReadonlySet<string> {
  return new Set(wordsOf(source).flatMap(({ kind, text }) => (kind === 'name' ? [text] : [])))
}

/** Names that are called. */
export function namesCalledIn(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*) ?\(/gu)].map((match) => match[1] ?? ''))
}

/** Whether the file itself makes this name: a function, a class, a variable. */
export function defines(source: string, name: string): boolean {
  const escaped = name.replaceAll('$', String.raw`\$`)
  return new RegExp(
    String.raw`(?:\b(?:function\*?|class|def|func|fn|fun|let|var|const|val)\s+${escaped}(?![\w$]))|^\s*${escaped}\s*:?=[^=]`,
    'mu',
  ).test(source)
}

/** Share of the words that two texts have in common, 0 to 1. */
export function likeness(left: string, right: string): number {
  const counts = new Map<string, number>()
  const ours = wordsOf(left)
  for (const { text } of ours) counts.set(text, (counts.get(text) ?? 0) + 1)
  const theirs = wordsOf(right)
  let common = 0
  for (const { text } of theirs) {
    const count = counts.get(text) ?? 0
    if (count > 0) {
      common += 1
      counts.set(text, count - 1)
    }
  }
  return ours.length + theirs.length === 0 ? 0 : (2 * common) / (ours.length + theirs.length)
}
