/** Product files whose code could cheat the check from inside the tested process. */
import type { FileChange, FileVersion, TamperFinding } from '../rules.ts'
import { braceTraces, scriptTraces } from './other-languages.ts'
import { javascriptTraces } from './javascript.ts'
import { pythonTraces } from './python.ts'
import type { Trace } from './trace.ts'

/** A project whose earlier sources do this in several ways makes tools for tests: it is its trade. */
const minOfTrade = 3

/**
 * Product-side changes whose code could cheat: each finding waits for authority. Judged against the baseline texts of all
 * these changes: what stood there before is not told, nor what is the trade of a library for tests.
 */
export function cheatingSources(changes: readonly FileChange[]): readonly TamperFinding[] {
  const written = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : [path])))
  const known = changes.flatMap(({ path, before }) => tracesOf(path, before?.text ?? '', written))
  const texts = new Set(known.map(keyOf))
  return changes.flatMap((change): readonly TamperFinding[] => {
    const { path, before, after } = change
    if (before?.kind === after?.kind && before?.digest === after?.digest) return []
    const isToolFile = before !== null && ofToolForTests.test(path)
    const text = after?.kind === 'file' && !isToolFile ? (after.text ?? '') : ''
    const fresh = tracesOf(path, text, written, before?.text ?? '').filter(
      (trace) => !texts.has(keyOf(trace)) && !isTrade(trace, known),
    )
    return [
      ...shadowing(change),
      ...unreadFindings(change, changes),
      ...withoutRepeats(fresh).map((trace) => findingOf(path, trace)),
    ]
  })
}

/** Where libraries for tests live: `lib/mocha.js`, `src/_pytest/x.py`, `assert/assertions.go`, `packages/expect/src/x.ts`. */
const ofToolForTests =
  /(?:^|[/_.-])(?:_?pytest|unittest|mocha|chai|jest|vitest|jasmine|sinon|expect|asserts?|assertions?|matchers?|mocks?|mocking|testing|test[_-]?(?:utils?|kit|helpers?|support|suite|runner)|testify|runner)(?:[/_.-]|$)/iu

/** @param earlier the text that stood there before; empty where nobody asks */
function tracesOf(path: string, text: string, written: ReadonlySet<string>, earlier = ''): readonly Trace[] {
  if (text === '' || text.length > maxLength) return []
  if (/\.pyi?$/u.test(path)) return pythonTraces(text)
  if (!/\.[cm]?[jt]sx?$/u.test(path)) return braceTraces(path, text) ?? scriptTraces(path, text)
  try {
    return javascriptTraces(path, text, { written, wasModule: /\bexports?\b/u.test(earlier) })
  } catch {
    // What does not parse does not run either.
    return []
  }
}

function keyOf({ rule, text }: Trace): string {
  return `${rule} ${text}`
}

function isTrade({ rule }: Trace, known: readonly Trace[]): boolean {
  return new Set(known.filter((trace) => trace.rule === rule).map(keyOf)).size >= minOfTrade
}

function withoutRepeats(traces: readonly Trace[]): readonly Trace[] {
  return [...new Map(traces.map((trace) => [keyOf(trace), trace])).values()]
}

function shadowing({ path, before, after }: FileChange): readonly TamperFinding[] {
  const module = before === null && after !== null ? shadowedModule(path) : undefined
  if (module === undefined) return []
  return [
    { rule: 'source.patches-runner', path, message: `Python loads it in the place of its own ${module}` },
  ]
}

const words: Readonly<Record<Trace['rule'], string>> = {
  'source.test-library': 'is a library for tests, loaded by the product',
  'source.patches-runner': 'changes what the check runs with',
  'source.equality-blind': 'compares without a look',
  'source.test-aware': 'asks whether it is tested',
  'source.unreadable': 'is loaded as code, where nobody reads it',
}

function findingOf(path: string, { rule, line, text, atMost }: Trace): TamperFinding {
  const quoted = text.length > 100 ? `${text.slice(0, 97)}...` : text
  const finding = { rule, path, line, message: `\`${quoted}\` ${words[rule]}` }
  return atMost === undefined ? finding : { ...finding, atMost }
}

/** Python looks for modules in the folder that it is started in before it looks where its own are. */
const ofRunner =
  'pytest _pytest py iniconfig packaging pygments exceptiongroup tomli tomllib pluggy nose2 coverage tox nox mock hypothesis _hypothesis_pytestplugin sitecustomize usercustomize'
const ofPython =
  'unittest doctest argparse abc ast asyncio base64 bdb bisect codecs collections configparser contextlib contextvars copy copyreg dataclasses datetime decimal difflib dis encodings enum fnmatch functools genericpath gettext getpass glob hashlib heapq importlib inspect io json keyword linecache locale logging math numbers opcode operator optparse os pathlib pdb platform posixpath pprint re reprlib select selectors shlex shutil signal site socket stat string struct subprocess tempfile textwrap threading token tokenize traceback types typing warnings weakref'

const loadedByRunner = new Set(ofRunner.split(' '))
const loadedByPython = new Set(ofPython.split(' '))

/** A module of any making: a source, byte code, an extension, a folder. */
const ofModule =
  /^(?<folder>src\/|lib\/)?(?<module>\w+)(?:\.pyc?|(?:\.[\w-]+)?\.(?:so|pyd)|\/__(?:init|main)__\.pyc?)$/u

/**
 * The module of the runner whose place a new file of this path takes; undefined: none. In `src/` and `lib/` only names of the
 * runner and its plug-ins count: those folders may be packages, and a module inside of a package takes no place.
 */
function shadowedModule(path: string): string | undefined {
  const { folder, module = '' } = ofModule.exec(path)?.groups ?? {}
  const isTaken =
    loadedByRunner.has(module) ||
    /^pytest_\w|_pytest(?:_|$)/u.test(module) ||
    (folder === undefined && loadedByPython.has(module))
  return isTaken ? module : undefined
}

/** Longer texts are no source that anybody wrote. Characters. */
const maxLength = 2 ** 19

/** Endings of what is run, imported or compiled. */
const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|pyx|go|rs|java|kts?|scala|groovy|cs|swift|php|pl|pm|rb|lua|exs?|c|h|cc|cpp|cxx|hpp|sh|bash|zsh|ksh|dash|awk)$/u

/** What became unreadable, or came as such. What could not be read before either is not new. `changes`: all of them. */
function unreadFindings(
  { path, before, after }: FileChange,
  changes: readonly FileChange[],
): readonly TamperFinding[] {
  if (after === null) return []
  const unreadable = (message: string) => ({ rule: 'source.unreadable', path, message }) as const
  const isSource = sources.test(path)
  if (after.kind === 'symlink') {
    // Links to data, environments and build output are usual; one in the place of a file or a folder is not.
    const isInPlace =
      isSource || changes.some((one) => one.before !== null && `${one.path}/`.startsWith(`${path}/`))
    if (!isInPlace || !leaves(path, after.text)) return []
    return [unreadable(`it is a link to ${after.text ?? 'another place'}, out of the work folder`)]
  }
  if (isRead(after)) return []
  if (isSource && (before === null || isRead(before)))
    return [unreadable('it is no text, or too long, so that nobody reads it')]
  return after.text === null ? [] : [{ ...unreadable('it is too long to be read'), atMost: 'note' }]
}

function isRead({ text }: FileVersion): boolean {
  return text !== null && text.length <= maxLength
}

/** Whether a link in the place of `path` shows something outside of the work folder. A target that is no text may. */
function leaves(path: string, target: string | null): boolean {
  if (target === null || /^(?:[/\\]|[A-Za-z]:)/u.test(target)) return true
  let depth = path.split('/').length - 1
  return target.split('/').some((part) => {
    depth += part === '..' ? -1 : part === '' || part === '.' ? 0 : 1
    return depth < 0
  })
}
