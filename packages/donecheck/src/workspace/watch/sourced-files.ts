import { dirname, resolve } from 'node:path'
import { readFileSync, statSync } from 'node:fs'

/** What a script of a shell reads in is part of it; what is longer is no script that a person has written. */
const longestBytes = 64 * 1024
const deepest = 5

/** Beside the script itself, as scripts find what lies beside them. */
const besideScript =
  /^"?\$(?:\(dirname\s+"?\$(?:0|\{BASH_SOURCE(?:\[0\])?\}|BASH_SOURCE)"?\)|\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\})"?\//u

/** `.` or `source` at the beginning of a command, with a path whose text is known. */
const sourcing =
  /(?:^|[;&|({]|\b(?:then|do|else)\s)[ \t]*(?:\.|source)[ \t]+("?\$(?:\([^()]*\)|\{[^{}]*\})"?\/[\w./@+-]+|'[^'\n]+'|"[^"$`\n]+"|[^\s"'`$;&|()<>]+)/gmu

/**
 * The files that a script reads in by `.` or `source`, and those that these read: absolute, whether or not they are there.
 * A path without a folder of its own is looked for where the checks run, and beside the script.
 */
export function sourcedBy(script: string, workFolder: string): readonly string[] {
  const found = new Set<string>()
  let level = [script]
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    level = level.flatMap((path) => namedIn(path, workFolder)).filter((path) => !found.has(path))
    for (const path of level) found.add(path)
  }
  return [...found]
}

function namedIn(path: string, workFolder: string): readonly string[] {
  return [...textOf(path).matchAll(sourcing)].flatMap(([, written = '']) => {
    const beside = besideScript.exec(written)
    if (beside !== null) return [resolve(dirname(path), written.slice(beside[0].length))]
    const name = written.replaceAll(/^['"]|['"]$/gu, '')
    if (/[$~]/u.test(name) || name === '') return []
    const near = resolve(dirname(path), name)
    return [resolve(workFolder, name), ...(isFile(near) ? [near] : [])]
  })
}

/** Empty where it is no text of usual length. */
function textOf(path: string): string {
  try {
    const { size } = statSync(path)
    return isFile(path) && size <= longestBytes ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
