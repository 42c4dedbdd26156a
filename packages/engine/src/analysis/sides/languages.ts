type Language = 'javascript' | 'python' | 'go' | 'rust' | 'shell' | 'make' | 'settings'

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

/** @returns undefined for data and for languages recognized by name only */
export function languageOf(path: string): Language | undefined {
  return languages.find(([pattern]) => pattern.test(path))?.[1]
}

export function isCode(path: string): boolean {
  const language = languageOf(path)
  return language !== undefined && language !== 'settings'
}

const libraries: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript:
    /^(?:vitest|@vitest\/|jest\b|@jest\/|mocha|chai|sinon|node:test$|test$|ava(?:\/|$)|tape(?:\/|$)|tap(?:\/|$)|uvu|jasmine|@testing-library\/|playwright|@playwright\/test|cypress|supertest|nock(?:\/|$)|expect|should|power-assert|enzyme|testdouble|proxyquire|fast-check|qunit|ts-mockito|bun:test$|@std\/(?:assert|testing)|@japa\/)/u,
  python:
    /^(?:pytest|_pytest|unittest|nose2?|hypothesis|mock|testtools|assertpy|sure|hamcrest|behave|responses|freezegun|factory|doctest|ward)(?:\.|$)/u,
  go: /^(?:testing(?:\/|$)|github\.com\/(?:stretchr\/testify|onsi\/(?:gomega|ginkgo)|golang\/mock|google\/go-cmp|frankban\/quicktest)|go\.uber\.org\/mock|gotest\.tools|gopkg\.in\/check)/u,
}

export function isAssertionLibrary(written: string, language: Language | undefined): boolean {
  return language !== undefined && libraries[language]?.test(written) === true
}

export function holdsTests(text: string): boolean {
  return /(?<![.\w])(?:it|test)(?:\.\w{1,40}){0,3}\s{0,9}[(`]|^[ \t]*(?:async[ \t]+)?def[ \t]+test|^class[ \t]+\w{0,80}Test|TestCase\b/mu.test(
    text,
  )
}

const judges =
  /\bassert|\bexpect\s{0,9}\(|AssertionError|\bexit\s{0,9}\(\s{0,9}(?!0\s{0,9}\))|\bexitCode\s{0,9}=|SystemExit|\bos\.Exit|\bpanic!?\(|\bthrow\s/u

export function judgesByItself(text: string): boolean {
  return judges.test(text)
}

/** Python modules from outside the tree: a file of that name in the tree shadows them. */
const ofPython = new Set(
  `abc argparse ast asyncio base64 bisect builtins calendar cmath codecs collections concurrent configparser contextlib copy csv
  ctypes dataclasses datetime decimal difflib dis email enum errno faulthandler fileinput fnmatch fractions functools gc getpass
  gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword linecache locale logging
  lzma math mimetypes mmap multiprocessing numbers operator os pathlib pdb pickle pkgutil platform posixpath pprint queue random
  re reprlib secrets select shelve shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess sys
  sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata urllib uuid warnings
  weakref xml zipfile zlib zoneinfo numpy pandas`.split(/\s+/u),
)

export function isKnownPythonModule(name: string): boolean {
  return ofPython.has(name) || isAssertionLibrary(name, 'python')
}
