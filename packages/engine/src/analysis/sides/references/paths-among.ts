import type { Literal } from './literals.ts'
import type { Reference } from './reference.ts'

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
