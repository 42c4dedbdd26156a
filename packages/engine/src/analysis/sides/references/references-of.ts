/** What a file names: by import where its language has imports, and by paths in its texts. */
import { lineReferences } from './lines.ts'
import { goReferences, rustReferences } from './others.ts'
import { pythonReferences } from './python.ts'
import { maxReadLength, type Reference } from './reference.ts'
import { literalsOf } from './literals.ts'
import { pathsAmong } from './paths-among.ts'

export type Language = 'javascript' | 'python' | 'go' | 'rust' | 'shell' | 'make' | 'settings'

/** A file without an ending that begins with `#!` is read as a script of a shell. */
const languages: readonly (readonly [RegExp, Language])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/u, 'javascript'],
  [/\.pyi?$/u, 'python'],
  [/\.go$/u, 'go'],
  [/\.rs$/u, 'rust'],
  [/\.(?:sh|bash|zsh|ksh|bats)$/u, 'shell'],
  [/(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)[Jj]ustfile$|\.mk$/u, 'make'],
  [
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|[^/]*rc(?:\.json)?|[^/]*\.config\.json|pytest\.ini|tox\.ini|Taskfile\.ya?ml)$/u,
    'settings',
  ],
]

/** Undefined: it is data, or a language whose files are told by their names alone. */
export function languageOf(path: string): Language | undefined {
  return languages.find(([pattern]) => pattern.test(path))?.[1]
}

export function referencesOf(path: string, whole: string): readonly Reference[] {
  const text = whole.slice(0, maxReadLength)
  const language = languageOf(path) ?? (text.startsWith('#!') ? languageOfProgram(text) : undefined)
  return language === undefined ? [] : readers[language](text)
}

const readers: Readonly<Record<Language, (text: string) => readonly Reference[]>> = {
  javascript: javascriptReferences,
  python: pythonReferences,
  go: goReferences,
  rust: rustReferences,
  shell: lineReferences,
  make: lineReferences,
  settings: lineReferences,
}

function languageOfProgram(text: string): Language {
  const first = text.slice(0, 200).split('\n', 1)[0] ?? ''
  if (/\bpython/u.test(first)) return 'python'
  return /\b(?:node|deno|bun|tsx)\b/u.test(first) ? 'javascript' : 'shell'
}

const importing =
  /(?:\bfrom|\bimport|\b(?:require|import|require\.resolve|import\.meta\.resolve|createRequire\([^()]*\)|(?:jest|vi)\.\w*[mM]ock|(?:jest|vi)\.\w*[aA]ctual|register)\s*\()$/u

function javascriptReferences(text: string): readonly Reference[] {
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
