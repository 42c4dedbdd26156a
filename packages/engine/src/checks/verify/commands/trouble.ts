import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute, relative, resolve } from 'node:path'
import { truncateText } from '../reports/reports.ts'
import { startedFiles } from '../../../analysis/protect/index.ts'

/**
 * Returns machine trouble as a sentence; undefined if the work failed. Only for exit codes other than 0, 126
 * and 127 without a failed test. Reads the last lines, as shells and runtimes word them. SIGKILL, SIGTERM,
 * SIGHUP and limits are trouble; crashes and 130 are not.
 */
export function infrastructureCause(exitCode: number, outputTail: string): string | undefined {
  return causeIn(outputTail) ?? causeOfExit(exitCode)
}

const signalsFromOutside: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [9, 'SIGKILL'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
])

function causeOfExit(exitCode: number): string | undefined {
  const signal = signalsFromOutside.get(exitCode - 128)
  const why = signal === 'SIGKILL' ? ', as systems do that are out of memory' : ''
  return signal && `it was killed by ${signal}${why} (exit ${exitCode})`
}

/** Runtimes print stack traces below their message. */
const lastLines = 30

interface FaultPattern {
  readonly line: RegExp
  readonly cause: string
}

const tool = String.raw`^(?:npm (?:error|ERR!)|error|yarn|pnpm|curl: \(\d+\)|wget:|fatal:|go:|pip|ERROR:|\[ERROR\]|WARNING: Retrying|Caused by:|E:).*`

const faultPatterns: readonly FaultPattern[] = [
  {
    line: /^(?:\/\S+\/)?(?:sh|bash|dash|zsh|ash)(?:: line)?:? ?\d*:? ?\S+: (?:command )?not found$|^env: .*: No such file or directory$|^make(?:\[\d+\])?: \*\*\* .* Error 127$|^spawn \S+ ENOENT$/,
    cause: 'a program that it needs was not found; install it, or correct the command',
  },
  {
    line: /^\S+: (?:(?:line )?\d+: )?set: Illegal option -o pipefail$/,
    cause:
      'the shell that reads it (sh) does not know "pipefail"; name one that does: bash -o pipefail -c \'…\'',
  },
  {
    line: /^(?:\/\S+\/)?(?:sh|bash|dash|zsh|ash)(?:: line)?:? ?\d*:? ?\S+: Permission denied$|^make(?:\[\d+\])?: \*\*\* .* Error 126$/,
    cause: 'a program that it needs may not be executed; make it executable',
  },
  {
    line: /(?:^|\b(?:Error|error|failed|write|OSError)\b.*)(?:ENOSPC\b|No space left on device|EDQUOT\b|Disk quota exceeded)/,
    cause: 'the disk is full',
  },
  {
    line: /^FATAL ERROR: .*JavaScript heap out of memory|^fatal error: runtime: (?:cannot allocate|out of) memory|fork: Cannot allocate memory|^(?:Error: )?(?:spawn|fork)\b.* ENOMEM|fatal error: Killed signal terminated program/,
    cause: 'the memory is used up',
  },
  {
    line: /^(?:Uncaught )?(?:Error: )?listen EADDRINUSE\b|^OSError: \[Errno (?:48|98)\] (?:error while attempting to bind|Address already in use)|\bbind: address already in use$|^(?:Error: )?Port \d+ is (?:already )?in use/i,
    cause: 'a port that it needs is in use',
  },
  {
    line: new RegExp(
      `${tool}(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|ECONNRESET|ECONNREFUSED|Could not resolve host|Temporary failure in name resolution|Network is unreachable|no such host|i/o timeout|Could not resolve proxy|Failed to connect to (?!localhost|127\\.))`,
    ),
    cause: 'the network cannot be reached',
  },
  {
    line: new RegExp(
      `${tool}(?:Could not transfer artifact|Could not resolve dependencies|failed to download|spurious network error)`,
    ),
    cause: 'the network cannot be reached',
  },
  {
    line: /^(?:npm (?:error|ERR!) )?npx canceled due to missing packages|Local package\.json exists, but node_modules missing|^(?:\/\S*)?python[\d.]*: No module named (?:pytest|tox|nox|mypy|ruff|flake8|build)$|^bundler: command not found|^Could not find .* in (?:any of the sources|locally installed gems)|Couldn't find the node_modules state file|^error: no such command: `|^Warning: require\(.*vendor\/autoload\.php/,
    cause: 'what the project depends on is not installed; install it',
  },
  {
    line: /^(?:ERROR: |error during connect: |docker: )?Cannot connect to the Docker daemon/,
    cause: 'the Docker daemon does not run',
  },
]

function causeIn(outputTail: string): string | undefined {
  const lines = linesOf(outputTail.replaceAll(colour, ''))
    .filter((line) => line !== '')
    .slice(-lastLines)
  for (const { line, cause } of faultPatterns) {
    const said = lines.find((candidate) => line.test(candidate))
    if (said !== undefined) return `${cause} ("${truncateText(said, maxQuoteLength)}")`
  }
  return undefined
}

// eslint-disable-next-line no-control-regex -- colours begin with an escape
const colour = /\u001b\[[\d;]*m/g

const maxQuoteLength = 160

/** `elsewhere`: a project script wants the program; the agent may install or rename it. */
type NotFound =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'file-of-the-work' }
  | { readonly kind: 'elsewhere' }

const noFile = String.raw`No such file(?: or directory)?`
const someShell = String.raw`(?:/\S+/)?(?:(?:ba|da|z|k|a)?sh|g?make(?:\[\d+\])?)`
const notRunnable = String.raw`not found|${noFile}|Permission denied|[Cc]annot execute.*|.*bad interpreter.*|Exec format error`
const place = String.raw`(?:(?:line )?\d+: )?`

const script = new RegExp(
  `^${someShell}: ${place}(?:[Cc]an(?:no|')t open (?:input file: )?)?([^\\s:]+): ${noFile}$`,
)
const path = new RegExp(`^(?:line|${someShell}): ${place}([^\\s:]*/[^\\s:]*): (?:${notRunnable})$`)
/** A program in the check's own line: our shell is named `line`. */
const program = new RegExp(`^line: ${place}([^\\s:/]+): (?:command )?not found$`)
const started = new RegExp(
  `^(?:\\S*/)?(?:env|timeout|nice|nohup|xargs)\\b[^‘'"]*[‘'"]?([^\\s:/‘’'"]+)[’'"]?: ${noFile}$`,
)

/** Whether a shell could not start a file of the work: missing, not executable or no interpreter. */
export function isWorkUnstarted(outputTail: string, folder: string): boolean {
  const file = lastNamed(linesOf(outputTail), [script, path])
  return file !== undefined && isWithin(folder, file)
}

/** @param line ended with exit code 127 */
export function whatIsNotFound(
  line: string,
  outputTail: string,
  folder: string,
  searchPath: string,
): NotFound {
  if (isWorkUnstarted(outputTail, folder)) return { kind: 'file-of-the-work' }
  const lines = linesOf(outputTail)
  const name = lastNamed(lines, [script, path]) ?? lastNamed(lines, [program, started])
  if (name !== undefined && isOfFirstLine(name, line, folder)) return { kind: 'file-of-the-work' }
  // The agent could install a program here.
  const isInstallable = searchPath.split(delimiter).some((entry) => isWithin(folder, entry))
  return name === undefined || (!name.includes('/') && isInstallable)
    ? { kind: 'elsewhere' }
    : { kind: 'program', name }
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.trim())
}

/** Whether a started file of the work names this program in its first line. */
function isOfFirstLine(name: string, line: string, folder: string): boolean {
  return startedFiles(line).programs.some((path) => {
    if (!isWithin(folder, path)) return false
    const [first = ''] = textAt(resolve(folder, path)).split('\n', 1)
    return first.startsWith('#!') && first.includes(name)
  })
}

function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function lastNamed(lines: readonly string[], forms: readonly RegExp[]): string | undefined {
  return lines.flatMap((line) => forms.flatMap((form) => form.exec(line)?.[1] ?? [])).at(-1)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path))
  return !way.startsWith('..') && !isAbsolute(way)
}
