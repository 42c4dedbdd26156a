/** What could not be started: a program of the machine, or a file of the work, which is the agent's to write or fix? */
import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute, relative, resolve } from 'node:path'
import { startedFiles } from '../../../../analysis/protect/index.ts'

/** `elsewhere`: a script of the project looked for a program; the drive may install it, or name another. */
export type NotFound =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'file-of-the-work' }
  | { readonly kind: 'elsewhere' }

const noFile = String.raw`No such file(?: or directory)?`
const someShell = String.raw`(?:/\S+/)?(?:(?:ba|da|z|k|a)?sh|g?make(?:\[\d+\])?)`
const notRunnable = String.raw`not found|${noFile}|Permission denied|[Cc]annot execute.*|.*bad interpreter.*|Exec format error`
const place = String.raw`(?:(?:line )?\d+: )?`

/** A script that a shell was given. */
const script = new RegExp(
  `^${someShell}: ${place}(?:[Cc]an(?:no|')t open (?:input file: )?)?([^\\s:]+): ${noFile}$`,
)
/** A path that is run, by whichever shell. */
const path = new RegExp(`^(?:line|${someShell}): ${place}([^\\s:]*/[^\\s:]*): (?:${notRunnable})$`)
/** What the line of the check itself starts: its shell calls itself `line`. */
const program = new RegExp(`^line: ${place}([^\\s:/]+): (?:command )?not found$`)
const started = new RegExp(
  `^(?:\\S*/)?(?:env|timeout|nice|nohup|xargs)\\b[^‘'"]*[‘'"]?([^\\s:/‘’'"]+)[’'"]?: ${noFile}$`,
)

/**
 * @param outputTail of a line that ended with a failure
 * @param folder the work folder
 * @returns whether a shell could not start a file of the work: it is missing, not executable, or no program can read it
 */
export function isWorkUnstarted(outputTail: string, folder: string): boolean {
  const file = lastNamed(linesOf(outputTail), [script, path])
  return file !== undefined && isWithin(folder, file)
}

/**
 * @param line the check's own, which ended with 127
 * @param outputTail what it printed last
 * @param folder the work folder
 * @param searchPath the variable PATH
 */
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
  // What comes to lie there, the drive may have installed.
  const isInstallable = searchPath.split(delimiter).some((entry) => isWithin(folder, entry))
  return name === undefined || (!name.includes('/') && isInstallable)
    ? { kind: 'elsewhere' }
    : { kind: 'program', name }
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.trim())
}

/** Whether a file of the work that the line starts asks for this program in its first line. */
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
