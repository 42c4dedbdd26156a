/** Exit code 127: is a program of the machine missing, or a file of the work, which is the drive's to write? */
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, relative, resolve } from 'node:path'

/** `elsewhere`: a script of the project looked for a program; the drive may install it, or name another. */
export type NotFound =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'file-of-the-work' }
  | { readonly kind: 'elsewhere' }

const noFile = String.raw`No such file(?: or directory)?`
const someShell = String.raw`(?:/\S+/)?(?:ba|da|z|k|a)?sh`
const place = String.raw`(?:(?:line )?\d+: )?`

/** A script that a shell was given. */
const script = new RegExp(
  `^${someShell}: ${place}(?:[Cc]an(?:no|')t open (?:input file: )?)?([^\\s:]+): ${noFile}$`,
)
/** A path that is run, by whichever shell. */
const path = new RegExp(`^(?:line|${someShell}): ${place}([^\\s:]*/[^\\s:]*): (?:not found|${noFile})$`)
/** What the line of the check itself starts: its shell calls itself `line`. */
const program = new RegExp(`^line: ${place}([^\\s:/]+): (?:command )?not found$`)
const started = new RegExp(
  `^(?:env|timeout|nice|nohup|xargs)\\b[^‘'"]*[‘'"]?([^\\s:/‘’'"]+)[’'"]?: ${noFile}$`,
)

/**
 * @param outputTail of the line that ended with 127
 * @param folder the work folder
 * @param searchPath the variable PATH
 */
export function whatIsNotFound(outputTail: string, folder: string, searchPath: string): NotFound {
  const lines = outputTail.split(/\r?\n/).map((line) => line.trim())
  const file = lastNamed(lines, [script, path])
  if (file !== undefined && isWithin(folder, file))
    // One that is there has a first line that names a missing interpreter.
    return existsSync(resolve(folder, file)) ? { kind: 'elsewhere' } : { kind: 'file-of-the-work' }
  const name = file ?? lastNamed(lines, [program, started])
  // What comes to lie there, the drive may have installed.
  const isInstallable = searchPath.split(delimiter).some((entry) => isWithin(folder, entry))
  return name === undefined || (file === undefined && isInstallable)
    ? { kind: 'elsewhere' }
    : { kind: 'program', name }
}

function lastNamed(lines: readonly string[], forms: readonly RegExp[]): string | undefined {
  return lines.flatMap((line) => forms.flatMap((form) => form.exec(line)?.[1] ?? [])).at(-1)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path))
  return !way.startsWith('..') && !isAbsolute(way)
}
