/** What a file says of other files, and the texts and words of it that may be paths. */
import type { Literal } from './literals.ts'

export interface Reference {
  /**
   * `import`: a module, by the rules of the language. `path`: a text that may be the path of a file or folder. `name`: only
   * the last part of a path is known.
   */
  readonly kind: 'import' | 'path' | 'name'
  readonly written: string
  /** Only a test build follows it (`#[cfg(test)] mod x;`). */
  readonly isForTests?: boolean
}

/** Of a text, in UTF-16 units: no file that people write says what it imports behind this. */
export const maxReadLength = 262_144

const pathLike = /^[\w@.+~-]+(?:\/[\w@.+~*-]+)*\/?$/u
const named = /^[\w@.+-]*\w\.\w+$/u

/** Literals that may be paths. A text without a slash and without an ending is a word. */
export function pathsAmong(literals: readonly Literal[]): readonly Reference[] {
  return literals.flatMap(({ value, isTail }): readonly Reference[] => {
    const written = value.replace(/^(?:\.?\/)+/u, '')
    if (!pathLike.test(written)) return []
    if (isTail || value.startsWith('/')) return named.test(written) ? [{ kind: 'name', written }] : []
    return [{ kind: 'path', written: value }]
  })
}

const words =
  /(\$(?:\{[^{}\n]{0,80}\}|\([^()\n]{0,80}\)|\w+)"?\/)?(?<![\w@.+~*/-])([\w@.+~*-]+(?:\/[\w@.+~*-]+)*\/?)/gu

/** Of shell scripts, Makefiles and settings, where every word that may be a path counts. Comments are left out. What follows a variable is known by its last part only. */
export function lineReferences(text: string): readonly Reference[] {
  const found = new Map<string, Reference>()
  for (const line of text.split('\n')) {
    for (const [, variable, written = ''] of withoutComment(line).slice(0, 4_096).matchAll(words)) {
      if (written.startsWith('-') || !/[./*\w]/u.test(written)) continue
      found.set(written, variable === undefined ? { kind: 'path', written } : { kind: 'name', written })
    }
  }
  return [...found.values()]
}

function withoutComment(line: string): string {
  const comment = /(?:^|\s)#/u.exec(line)
  return comment === null ? line : line.slice(0, comment.index)
}
