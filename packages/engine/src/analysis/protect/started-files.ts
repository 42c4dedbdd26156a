/** Finds the files that check command lines start, and the package scripts and Makefiles they go through. */
import { decompose, scriptCallOf, type FoundCommand } from '../shell/index.ts'

interface StartedFiles {
  /** Programs started by path and files passed to an interpreter or shell, as written. */
  readonly programs: readonly string[]
  /** Programs of which only the output is used, such as `twice` in `test "$(./twice 4)" = 8`. */
  readonly captured: readonly string[]
  /** Python modules started by the interpreter, as paths. */
  readonly modules: readonly string[]
  readonly tests: readonly string[]
  /** Package script names, also those that Deno falls back to without a task. */
  readonly packageScripts: readonly string[]
  readonly denoTasks: readonly string[]
  /** Makefile names; empty if it starts no make. */
  readonly makefiles: readonly string[]
  readonly folders: readonly string[]
  /** Options, file arguments and input passed to programs, as written. */
  readonly handed: readonly string[]
  /** Whether an interpreter gets a script that is only known at run time. */
  readonly startsUnknown: boolean
}

const interpreters =
  /^(?:(?:ba|z|da|k|a)?sh|(?:python|pypy|node|nodejs|ruby|perl|php|deno|bun|tsx|ts-node|lua|awk|Rscript)[\d.]*|source|\.)$/u
const runners =
  /^(?:pytest|py\.test|vitest|jest|mocha|ava|tap|tape|uvu|bats|playwright|cypress|jasmine|rspec|phpunit|nose2|stestr|japa)$/u
/** Interpreter options whose next word is a value, not a file. */
const withValue = /^(?:[-+]o|[-+]O|-W|-X|-I|-C|--conditions|--stack-size)$/u
/** A text or module follows, so no file is run. */
const withoutFile = /^(?:-\w*c|-m|--eval|-p|--print)$/u
const shells = /(?:^|\/)(?:\w*sh|source|\.)$/u
const subcommands = /^(?:run|x|exec|test)$/u
/** The next word is loaded first. */
const preloads = /^(?:-r|--require|--import|--loader|--experimental-loader|--setup|--preload)$/u
/** System programs and installed packages are not project files. */
const installed = /^\/(?:usr|bin|sbin|lib\w*|opt|nix|dev|proc)\/|(?:^|\/)(?:node_modules|\.?venv)\//u

export function startedFiles(line: string): StartedFiles {
  const started = readLine(line)
  const outside = withoutSubstitutions(line)
  if (outside === line) return started
  const uncaptured = new Set(readLine(outside).programs)
  return { ...started, captured: started.programs.filter((path) => !uncaptured.has(path)) }
}

/** Replaces each `$(…)` and backquoted part with a variable. */
function withoutSubstitutions(line: string): string {
  const inner = line.replaceAll(/\$\((?!\()[^()`]{0,4000}\)|`[^`]{0,4000}`/gu, () => '$_')
  return inner === line ? line : withoutSubstitutions(inner)
}

function readLine(line: string): StartedFiles {
  const { commands, reads = [] } = decompose(line)
  const words = commands.map(wordsOf)
  const of = (read: (words: readonly string[]) => readonly string[]): readonly string[] => [
    ...new Set(words.flatMap(read)),
  ]
  const scripts = words.flatMap((command) => scriptCallOf(command) ?? [])
  const startsShell = words.some(([program = '']) => isInterpreter(program))
  return {
    programs: [...of(programsIn), ...(startsShell ? reads.flatMap(({ path }) => path ?? []) : [])].filter(
      (path) => !installed.test(path) && isWritten(path, line),
    ),
    captured: [],
    modules: of(modulesIn),
    tests: of(testsIn),
    packageScripts: scripts.flatMap((call) => call.scripts),
    denoTasks: scripts.flatMap((call) => (call.manifest === 'deno.json' ? call.scripts : [])),
    makefiles: of(makefilesIn),
    folders: of((command) => (command[0] === 'cd' ? command.slice(1, 2) : folderOption(command))),
    handed: [
      ...of(optionValues),
      ...(startsShell ? [] : reads.flatMap(({ path }) => path ?? [])),
      ...substituted(commands),
    ],
    startsUnknown: commands.some(startsUnknown),
  }
}

/** Programs that read or create their operands and do not run them. */
const ofSystem =
  /^(?:\[|test|e?grep|fgrep|rg|cat|head|tail|cmp|diff|wc|ls|cp|mv|rm|mkdir|touch|find|sort|uniq|cut|tr|sed|awk|tee|echo|printf|git|curl|tar|zip|unzip|sha\d+sum|md5sum|jq|stat|chmod|ln|true|false|exit|cd|export|set)$/u

function optionValues(words: readonly string[]): readonly string[] {
  if (ofSystem.test((words[0] ?? '').replace(/^.*\//u, ''))) return []
  return words.slice(1).flatMap((word, index) => {
    const inline = /^(?:--?[\w-]+=|@)([\w./@+-]+)$/u.exec(word)?.[1]
    if (inline !== undefined) return [inline]
    return /^--?[a-zA-Z][\w-]*$/u.test(words[index] ?? '') && /^[\w./@+-]+$/u.test(word) ? [word] : []
  })
}

/** Files whose contents are substituted, such as `$(cat FILE)`. */
function substituted(commands: readonly FoundCommand[]): readonly string[] {
  const outer = commands.flatMap(({ words }) =>
    ofSystem.test(words[0]?.text ?? '') ? [] : words.filter(({ text }) => text === null),
  )
  return outer.flatMap(({ written }) => contentsIn(written))
}

/** Returns files that a text includes, as shells and make do. */
export function contentsIn(text: string): readonly string[] {
  return [...text.matchAll(/[$`](?:\(\s*)?(?:shell\s+)?(?:cat\s+|<\s*)([^()`;&|]{1,1000})/gu)].flatMap(
    ([, list = '']) => list.trim().split(/\s+/u),
  )
}

function startsUnknown({ words, through }: FoundCommand): boolean {
  const at = words.findIndex(({ text }) => text !== null && isInterpreter(text))
  if (at === -1) return words[0]?.text === null && words[0].written.startsWith('$')
  const operands = words.slice(at + 1).filter(({ written }) => !/^[-+]/u.test(written))
  const isFed = through.some((program) => /^(?:xargs|find|parallel)\b/u.test(program))
  return isFed || operands.some(({ text, written }) => text === null && !known.test(written))
}

/** Resolves words only known at run time: a home path, or the part after a leading variable. */
function wordsOf({ words }: FoundCommand): readonly string[] {
  return words.map(({ text, written }, index) => {
    const found = text ?? known.exec(written)?.slice(1).find(Boolean) ?? ''
    return text === null && index === 0 && found !== '' && !found.includes('/') ? `./${found}` : found
  })
}

const known = /^(?:(~\/[\w./@+-]+)|"?\$(?:\w+|\{[^{}]*\}|\(.*\))"?\/([\w./@+-]+)"?)$/u

/** Ignores an absolute path that arises only if a variable is empty. */
function isWritten(path: string, line: string): boolean {
  return (
    !path.startsWith('/') ||
    /(?:^|[\s;&|(<=])["']?$/u.test(line.slice(0, Math.max(0, line.indexOf(path))).slice(-2))
  )
}

function programsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (isInterpreter(word)) return operandsOf(words, index)
    const isProgram = index === 0 && word.includes('/')
    const isPreload = preloads.test(words[index - 1] ?? '')
    const isOption = /^--(?:require|import|loader|setup|preload)=/u.test(word)
    return isProgram || isPreload || isOption ? [word.replace(/^--\w+=/u, '')] : []
  })
}

function isInterpreter(word: string): boolean {
  return interpreters.test(word === '.' ? word : word.slice(word.lastIndexOf('/') + 1))
}

/** Returns the first operand of an interpreter: its script, whatever the name. */
function operandsOf(words: readonly string[], at: number): readonly string[] {
  for (let index = at + 1; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (withoutFile.test(word) || isInterpreter(word) || word === '--test') return []
    if (word === '-e' && !shells.test(words[at] ?? '')) return []
    if (withValue.test(word) || preloads.test(word)) index += 1
    else if (word !== '' && !/^[-+]/u.test(word) && !subcommands.test(word)) return [word]
  }
  return []
}

function modulesIn(words: readonly string[]): readonly string[] {
  const module = /^(?:.*\/)?(?:python|pypy)[\d.]*$/u.test(words[0] ?? '')
    ? words[words.indexOf('-m', 1) + 1]
    : undefined
  if (module === undefined || !words.includes('-m')) return []
  const path = module.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`]
}

function testsIn(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word) => runners.test(word.slice(word.lastIndexOf('/') + 1)) || word === '--test',
  )
  return at === -1
    ? []
    : words
        .slice(at + 1)
        .filter((word, index) => isTestWord(word) && !loadedFirst.test(words[at + index] ?? ''))
}

const isTestWord = (word: string) => /^[\w.@*]/u.test(word) && !subcommands.test(word)
/** Runner options whose value is not a test. */
const loadedFirst = /^(?:--bootstrap|--config(?:uration)?)$/u

function makefilesIn(words: readonly string[]): readonly string[] {
  const program = (words[0] ?? '').replace(/^.*\//u, '')
  if (program === 'just') return ['justfile', 'Justfile', '.justfile']
  if (!/^g?make$/u.test(program)) return []
  const named = words.flatMap((word, index) =>
    /^(?:-f|--file|--makefile)$/u.test(word)
      ? (words[index + 1] ?? [])
      : (/^--(?:make)?file=(.+)/u.exec(word)?.[1] ?? []),
  )
  return named.length > 0 ? named : ['GNUmakefile', 'makefile', 'Makefile']
}

function folderOption(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) =>
    /^(?:-C|--prefix|--dir|--cwd|--directory)$/u.test(word) ? (words[index + 1] ?? []) : [],
  )
}

/** Returns paths that the commands start, relative to the work folder; outside ones as written. */
export function scriptsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  return new Set([...programsNamedIn(commands), ...commands.flatMap((line) => startedFiles(line).makefiles)])
}

function programsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  const paths = commands.flatMap((command) => {
    const { programs, folders } = startedFiles(command)
    return programs.flatMap((path) => [path, ...inFolders(path, folders)])
  })
  return new Set(paths.map(plainPath))
}

/** Returns package script names of a command line, such as `test` for `npm test`. */
export function packageScriptsNamedIn(command: string): readonly string[] {
  return startedFiles(command).packageScripts
}

function inFolders(path: string, folders: readonly string[]): readonly string[] {
  return /^[/~]/u.test(path) ? [] : folders.map((folder) => `${folder}/${path}`)
}

/** Removes `./`, `a/../`, `//`, and the work folder's variable. */
function plainPath(written: string): string {
  const parts: string[] = []
  for (const part of written.replace(/^\$(?:PWD|\{PWD\})\//u, '').split('/')) {
    if (part === '..' && parts.length > 0 && !['', '..', '~'].includes(parts.at(-1) ?? '')) parts.pop()
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part)
  }
  return parts.join('/')
}
