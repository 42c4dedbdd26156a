/** What a file names: by import where its language has imports, and by paths in its texts. */
import { javascriptReferences } from './javascript.ts'
import { lineReferences } from './lines.ts'
import { goReferences, rustReferences } from './others.ts'
import { pythonReferences } from './python.ts'
import { longestRead, type Reference } from './reference.ts'

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
  const text = whole.slice(0, longestRead)
  const language = languageOf(path) ?? (text.startsWith('#!') ? languageOfProgram(text) : undefined)
  switch (language) {
    case undefined:
      return []
    case 'javascript':
      return javascriptReferences(text)
    case 'python':
      return pythonReferences(text)
    case 'go':
      return goReferences(text)
    case 'rust':
      return rustReferences(text)
    case 'shell':
    case 'make':
    case 'settings':
      return lineReferences(text)
  }
}

function languageOfProgram(text: string): Language {
  const first = text.slice(0, 200).split('\n', 1)[0] ?? ''
  if (/\bpython/u.test(first)) return 'python'
  return /\b(?:node|deno|bun|tsx)\b/u.test(first) ? 'javascript' : 'shell'
}
