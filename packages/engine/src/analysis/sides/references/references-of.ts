/** What a file names: by import where its language has imports, and by paths in its texts. */
import { literalsOf } from './literals.ts'
import { lineReferences, maxReadLength, pathsAmong, type Reference } from './reference.ts'

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

const imported = (written: string): Reference => ({ kind: 'import', written })

const importing =
  /(?:\bfrom|\bimport|\b(?:require|import|require\.resolve|import\.meta\.resolve|createRequire\([^()]*\)|(?:jest|vi)\.\w*[mM]ock|(?:jest|vi)\.\w*[aA]ctual|register)\s*\()$/u

function javascriptReferences(text: string): readonly Reference[] {
  const literals = literalsOf(text, { lineComment: '//', quotes: `"'\``, hasTripleQuotes: false })
  return literals.flatMap((literal): readonly Reference[] => {
    const { value, before, isTail } = literal
    if (isTail || !importing.test(before)) return pathsAmong([literal])
    return [imported(value.startsWith('#') ? value : value.replace(/[?#].*$/u, ''))]
  })
}

const goImport = /^import[ \t]+(?:\(([^)]{0,20000})|(?:[\w.]+[ \t]+)?("[^"\n]+"))/gmu
const goEmbed = /^\/\/go:embed[ \t]+([^\n]+)/gmu

function goReferences(text: string): readonly Reference[] {
  const imports = [...text.matchAll(goImport)].flatMap(([, block, one]) =>
    [...(block ?? one ?? '').matchAll(/"([^"\n]+)"/gu)].map(([, written = '']) => written),
  )
  const embedded = [...text.matchAll(goEmbed)].flatMap(([, list = '']) => list.trim().split(/\s+/u))
  return [
    ...imports.map(imported),
    ...embedded.map((written): Reference => ({ kind: 'path', written })),
    ...pathsAmong(literalsOf(text, { lineComment: '//', quotes: '"`', hasTripleQuotes: false })),
  ]
}

const rustModule =
  /((?:#\[[^\]\n]{0,200}\]\s{0,200}){0,8})(?:pub(?:\([^)\n]{0,80}\))?[ \t]+)?\bmod[ \t]+(?:r#)?(\w+)[ \t]*;/gu
const rustCrate = /\b(?:use|extern[ \t]+crate)[ \t]+(?:::)?(\w+)/gu

/** A module is written as its name, or as the path that an attribute gives it. A crate is written with `::`. */
function rustReferences(text: string): readonly Reference[] {
  const modules = [...text.matchAll(rustModule)].map(([, attributes = '', name = '']): Reference => {
    const path = /\bpath\s{0,9}=\s{0,9}"([^"\n]+)"/u.exec(attributes)?.[1]
    const isForTests = /\bcfg\s{0,9}\(\s{0,9}(?:(?:any|all)\s{0,9}\(\s{0,9})?test\b/u.test(attributes)
    return { kind: path === undefined ? 'import' : 'path', written: path ?? name, isForTests }
  })
  const crates = [...text.matchAll(rustCrate)].map(([, name = '']) => imported(`${name}::`))
  return [
    ...modules,
    ...crates,
    ...pathsAmong(literalsOf(text, { lineComment: '//', quotes: '"', hasTripleQuotes: false })),
  ]
}

const pythonImport = /^[ \t]*import[ \t]+([\w., \t]+)/gmu
const fromImporting = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\([^)]{0,4000}|[^\n#]{0,1000})/gmu
const byName =
  /(?:import_module|__import__|importorskip|run_module|pytest_plugins\s*=\s*[([]?|patch(?:\.\w+)?)\s*\(?$/u

/** `from a import b` may mean the module `a` or `a.b`. */
function pythonReferences(text: string): readonly Reference[] {
  const literals = literalsOf(text, { lineComment: '#', quotes: `"'`, hasTripleQuotes: true })
  return [
    ...[...text.matchAll(pythonImport)].flatMap(([, list = '']) => list.split(',').map(moduleOf)),
    ...[...text.matchAll(fromImporting)].flatMap(([, from = '', list = '']) => [
      from,
      ...namesIn(list).map((name) => (from.endsWith('.') ? `${from}${name}` : `${from}.${name}`)),
    ]),
  ]
    .filter((written) => written !== '')
    .map(imported)
    .concat(
      literals.flatMap((literal): readonly Reference[] =>
        byName.test(literal.before) && /^[\w.]+$/u.test(literal.value)
          ? [imported(literal.value)]
          : pathsAmong([literal]),
      ),
    )
}

function moduleOf(item: string): string {
  return item.trim().split(/\s/u)[0] ?? ''
}

function namesIn(list: string): readonly string[] {
  return list
    .replaceAll(/#.*$|[()\\]/gmu, '')
    .split(',')
    .map(moduleOf)
    .filter((name) => /^\w+$/u.test(name))
}
