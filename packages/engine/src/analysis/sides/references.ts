/** What a file names: by import where its language has imports, and by paths in its texts. */

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
function pathsAmong(literals: readonly Literal[]): readonly Reference[] {
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

interface Literal {
  readonly value: string
  /** The code right before it, without the white space between. */
  readonly before: string
  /** It begins with a part that is only known when it runs. */
  readonly isTail: boolean
}

interface LiteralStyle {
  readonly lineComment: '//' | '#'
  readonly quotes: string
  /** Strings that reach over lines: three quotes (Python), or none. */
  readonly hasTripleQuotes: boolean
}

const maxLiteralLength = 300
const lookBehind = 48

/** Comments are left out. A string without an end ends with its line, one of several lines with the text. */
function literalsOf(text: string, style: LiteralStyle): readonly Literal[] {
  const found: Literal[] = []
  const interesting = new RegExp(`${style.lineComment === '#' ? '#' : '/[/*]'}|[${style.quotes}]`, 'gu')
  for (let match = interesting.exec(text); match !== null; match = interesting.exec(text)) {
    const at = match.index
    const end = endOf(text, at, match[0], style)
    interesting.lastIndex = end
    if (!style.quotes.includes(match[0])) continue
    const literal = literalOf(text, at, end)
    if (literal !== undefined) found.push(literal)
  }
  return found
}

/** The place behind what begins at `at`. */
function endOf(text: string, at: number, opening: string, { hasTripleQuotes }: LiteralStyle): number {
  if (opening === '/*') return behind(text, '*/', at + 2)
  if (opening === '//' || opening === '#') return behind(text, '\n', at)
  const triple = opening.repeat(3)
  if (hasTripleQuotes && text.startsWith(triple, at)) return behind(text, triple, at + 3)
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === opening) return index + 1
    else if (character === '\n' && opening !== '`') return index
  }
  return text.length
}

/** The place behind the next ending; without one, the end of the text. */
export function behind(text: string, ending: string, from: number): number {
  const found = text.indexOf(ending, from)
  return found === -1 ? text.length : found + ending.length
}

function literalOf(text: string, at: number, end: number): Literal | undefined {
  const written = text
    .slice(at, Math.min(end, at + maxLiteralLength))
    .replace(/^(?:"""|'''|["'`])|(?:"""|'''|["'`])$/gu, '')
  const expansion = written.lastIndexOf('}')
  const isTail = text[at] === '`' && expansion !== -1
  const value = isTail ? written.slice(expansion + 1) : written
  if (value === '' || end - at > maxLiteralLength) return undefined
  return { value, before: text.slice(Math.max(0, at - lookBehind), at).trimEnd(), isTail }
}

const libraries: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript:
    /^(?:vitest|@vitest\/|jest\b|@jest\/|mocha|chai|sinon|node:test$|test$|ava(?:\/|$)|tape(?:\/|$)|tap(?:\/|$)|uvu|jasmine|@testing-library\/|playwright|@playwright\/test|cypress|supertest|nock(?:\/|$)|expect|should|power-assert|enzyme|testdouble|proxyquire|fast-check|qunit|ts-mockito|bun:test$|@std\/(?:assert|testing)|@japa\/)/u,
  python:
    /^(?:pytest|_pytest|unittest|nose2?|hypothesis|mock|testtools|assertpy|sure|hamcrest|behave|responses|freezegun|factory|doctest|ward)(?:\.|$)/u,
  go: /^(?:testing(?:\/|$)|github\.com\/(?:stretchr\/testify|onsi\/(?:gomega|ginkgo)|golang\/mock|google\/go-cmp|frankban\/quicktest)|go\.uber\.org\/mock|gotest\.tools|gopkg\.in\/check)/u,
}

/** Whether an import names a test framework, an assertion library or a mocking library. */
export function isAssertionLibrary(written: string, language: Language | undefined): boolean {
  return language !== undefined && libraries[language]?.test(written) === true
}

/** Products assert what they rely on too: this library counts only in a file whose name says what it is for. */
export function isAssertionHelper(written: string, name: string): boolean {
  return (
    /^(?:node:)?assert(?:\/strict)?$/u.test(written) && /test|assert|expect|matcher|fixture|mock/iu.test(name)
  )
}

/** Whether a text holds tests by the words of a runner. */
export function holdsTests(text: string): boolean {
  return /(?<![.\w])(?:it|test)(?:\.\w{1,40}){0,3}\s{0,9}[(`]|^[ \t]*(?:async[ \t]+)?def[ \t]+test|^class[ \t]+\w{0,80}Test|TestCase\b/mu.test(
    text,
  )
}

/** A script that judges says no by itself. */
const judges =
  /\bassert|\bexpect\s{0,9}\(|AssertionError|\bexit\s{0,9}\(\s{0,9}(?!0\s{0,9}\))|\bexitCode\s{0,9}=|SystemExit|\bos\.Exit|\bpanic!?\(|\bthrow\s/u

export function judgesByItself(text: string): boolean {
  return judges.test(text)
}

/** Modules that come with Python: what takes their name in the tree is found before them. */
const ofPython = new Set(
  `abc argparse ast asyncio base64 bisect builtins calendar cmath codecs collections concurrent configparser contextlib copy csv
  ctypes dataclasses datetime decimal difflib dis email enum errno faulthandler fileinput fnmatch fractions functools gc getpass
  gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword linecache locale logging
  lzma math mimetypes mmap multiprocessing numbers operator os pathlib pdb pickle pkgutil platform posixpath pprint queue random
  re reprlib secrets select shelve shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess sys
  sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata urllib uuid warnings
  weakref xml zipfile zlib zoneinfo numpy pandas`.split(/\s+/u),
)

/** Whether a module of this top-level name comes from elsewhere than the tree. */
export function isKnownPythonModule(name: string): boolean {
  return ofPython.has(name) || isAssertionLibrary(name, 'python')
}
