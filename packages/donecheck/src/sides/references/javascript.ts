import { literalsOf } from './literals.ts'
import type { Reference } from './reference.ts'
import { pathsAmong } from './paths-among.ts'

const importing =
  /(?:\bfrom|\bimport|\b(?:require|import|require\.resolve|import\.meta\.resolve|createRequire\([^()]*\)|(?:jest|vi)\.\w*[mM]ock|(?:jest|vi)\.\w*[aA]ctual|register)\s*\()$/u

export function javascriptReferences(text: string): readonly Reference[] {
  const literals = literalsOf(text, { lineComment: '//', quotes: `"'\``, hasTripleQuotes: false })
  return literals.flatMap((literal): readonly Reference[] =>
    !literal.isTail && importing.test(literal.before)
      ? [
          {
            kind: 'import',
            written: literal.value.replace(/[?#].*$/u, (part) => (literal.value.startsWith('#') ? part : '')),
          },
        ]
      : pathsAmong([literal]),
  )
}
