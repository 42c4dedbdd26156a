/** Which files and scripts the command lines of the checks name. */

/** Words that start a shell script or an interpreter; what follows them is a file. */
const interpreters =
  /^(?:(?:ba|z|da|k|a)?sh|(?:python|pypy|node|ruby|perl|php|deno|bun|tsx|ts-node|lua|awk|Rscript)[\d.]*|source|\.)$/u

/** What stands between an interpreter and its file without being an option. */
const subcommands = /^(?:run|x|exec|<)$/u

/** Options of interpreters whose value is the next word, and no file. */
const withValue = /^(?:[-+]o|[-+]O|-W|-X|-I|-C|--conditions|--stack-size)$/u

/** What follows is a text or a module: no file is run. */
const withoutFile = /^(?:-\w*c|-m|--eval|-p|--print)$/u

const scriptName = /\.(?:sh|bash|zsh|py|mjs|cjs|js|ts|mts|cts|rb|pl|ps1|php)$/u

/** Programs of the system and installed packages are no scripts of a check. */
const installed = /^\/(?:usr|bin|sbin|lib\w*|opt|nix|dev|proc)\/|(?:^|\/)(?:node_modules|\.?venv)\//u

/** The paths that the commands name as programs to run, relative to the work folder; those outside of it as they are written. */
export function scriptsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  return new Set([...programsNamedIn(commands), ...commands.flatMap((line) => makefilesFor(words(line)))])
}

/** The same without the files that make and its like read by themselves. */
export function programsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  const paths = commands.flatMap((command) => {
    const line = words(command)
    const folders = line.filter((_, index) => line[index - 1] === 'cd')
    return pathsIn(line).flatMap((path) => [path, ...inFolders(path, folders)])
  })
  return new Set(paths.map(plainPath))
}

/** Whether its name tells that it is a script, and of which language. */
export function hasScriptName(path: string): boolean {
  return scriptName.test(path)
}

function inFolders(path: string, folders: readonly string[]): readonly string[] {
  return /^[/~]/u.test(path) ? [] : folders.map((folder) => `${folder}/${path}`)
}

function pathsIn(line: readonly string[]): readonly string[] {
  const operands = new Set(line.flatMap((word, index) => (isInterpreter(word) ? operandAt(line, index) : [])))
  return line.flatMap((written, index) => {
    const word = written.replace(/^<(?=.)/u, '')
    if (/^-|^\w+=|:\/\//u.test(word) || installed.test(word)) return []
    const isRun = word.startsWith('./') || scriptName.test(word) || operands.has(index)
    return isRun ? [word] : []
  })
}

function isInterpreter(word: string): boolean {
  return interpreters.test(word === '.' ? word : word.slice(word.lastIndexOf('/') + 1))
}

/** Where the file is that an interpreter is given: its first operand, whatever its name. */
function operandAt(line: readonly string[], at: number): readonly number[] {
  for (let index = at + 1; index < line.length; index += 1) {
    const word = line[index] ?? ''
    if (withoutFile.test(word) || isInterpreter(word)) return []
    if (withValue.test(word)) index += 1
    else if (!/^[-+]/u.test(word) && !subcommands.test(word)) return [index]
  }
  return []
}

/** Without what changes nothing: `./`, `a/../`, `//`, and the work folder by its variable. */
function plainPath(written: string): string {
  const parts: string[] = []
  for (const part of written.replace(/^\$(?:PWD|\{PWD\})\//u, '').split('/')) {
    if (part === '..' && parts.length > 0 && !['', '..', '~'].includes(parts.at(-1) ?? '')) parts.pop()
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part)
  }
  return parts.join('/')
}

function makefilesFor(line: readonly string[]): readonly string[] {
  if (!line.some((word) => /^g?make$/u.test(word)))
    return line.includes('just') ? ['justfile', 'Justfile'] : []
  const file = line.indexOf('-f')
  const named = file === -1 ? undefined : line[file + 1]
  return named === undefined ? ['Makefile', 'makefile', 'GNUmakefile'] : [named]
}

function words(command: string): readonly string[] {
  return command.split(/[\s;&|()"'`]+/u).filter((word) => word !== '')
}

/** Names of the package scripts that a command line runs, such as `test` for `npm test` or `unit` for `pnpm run unit`. */
export function packageScriptsNamedIn(command: string): readonly string[] {
  const found = command.matchAll(
    /\b(?:npm|pnpm|yarn|bun)\b((?:\s+-[-\w=./@]+)*)\s+(?:(?:run|run-script)\s+)?(?:-\S+\s+)*([\w:.@/-]+)/gu,
  )
  const direct = [...found]
    .map((match) => match[2] ?? '')
    .map((name) => (name === 't' || name === 'tst' ? 'test' : name))
  const many = [...command.matchAll(/\b(?:npm-run-all|run-s|run-p)\b([^;&|]*)/gu)]
    .flatMap((match) => words(match[1] ?? ''))
    .filter((word) => !word.startsWith('-'))
  const node = [...command.matchAll(/\bnode\s+--run\s+([\w:.-]+)/gu)].map((match) => match[1] ?? '')
  return [...direct, ...many, ...node]
}
