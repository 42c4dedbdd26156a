/** Scripts of the checks wherever they lie: also where git ignores them, behind a link, and outside of the work folder. */
import { hash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, dirname } from 'node:path'
import { errorCodeOf, isFile, readText, bytePathOfText, type BytePath } from '../tree/tree-entry.ts'
import { hasScriptName, programsNamedIn, scriptsNamedIn } from '../../../analysis/protect/index.ts'
import type { Marks } from '../snapshots.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'

/** Where the command lines of the checks are run. */
interface ScriptPlace {
  readonly workFolder: string
  readonly home: string | undefined
  readonly commands: readonly string[]
}

/** Nothing was there. */
const absent = 'absent'

/** More than these are not the checks of one project. */
const maxScripts = 200

/** What the checks run and what that reads in, by name; as it is now. */
export function checkScripts(place: ScriptPlace): Marks {
  const { workFolder } = place
  const named = pathsOf(scriptsNamedIn(place.commands), place)
  const sourced = named.filter((path) => isOfShell(path)).flatMap((path) => filesSourcedBy(path, workFolder))
  const all = [...named, ...sourced].flatMap((path) => [path, resolveRealPath(path)])
  const names = [...new Set(all.map((path) => nameOf(path, workFolder)))].slice(0, maxScripts)
  return lookAtScripts(workFolder, names)
}

type NamedScripts = ReadonlyMap<string, 'program' | 'make'>

/** Those that stand in the command lines themselves; where make alone reads one, it is no program. */
export function namedScripts(place: ScriptPlace): NamedScripts {
  const names = (written: ReadonlySet<string>) =>
    pathsOf(written, place).map((path) => nameOf(path, place.workFolder))
  const programs = names(programsNamedIn(place.commands))
  return new Map([
    ...names(scriptsNamedIn(place.commands)).map((name) => [name, 'make'] as const),
    ...programs.map((name) => [name, 'program'] as const),
  ])
}

/** The same files again, whatever the command lines and the scripts say now. */
export function lookAtScripts(workFolder: string, names: readonly string[]): Marks {
  return Object.fromEntries(names.map((name) => [name, scriptMark(resolve(workFolder, name))]))
}

/** A compiled program is `binary`. */
function scriptMark(path: string): string {
  const mark = readMark(path)
  if (mark === undefined) return absent
  return /^(?:file|executable) [0-9a-f]{64}$/u.test(mark) && isBinary(path) ? `binary ${mark}` : mark
}

const maxComparedBytes = 64 * 1024 * 1024

/**
 * A text that is another one when the file is, or what a link leads to: kind, executable bit, digest of the content. Undefined:
 * nothing is there.
 */
function readMark(path: string): string | undefined {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return stats.isDirectory() ? 'folder' : 'other'
    const bits = (stats.mode & 0o111) === 0 ? 'file' : 'executable'
    return stats.size > maxComparedBytes
      ? `${bits} of ${stats.size} bytes`
      : `${bits} ${hash('sha256', readFileSync(path))}`
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `closed ${code}`
  }
}

function isBinary(path: string): boolean {
  const start = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  try {
    return start.subarray(0, readSync(file, start)).includes(0)
  } finally {
    closeSync(file)
  }
}

function pathsOf(
  paths: ReadonlySet<string>,
  { workFolder, home }: Omit<ScriptPlace, 'commands'>,
): readonly string[] {
  return [...paths].flatMap((written) => {
    if (written === '~' || /[*?$[\]{}\0]/u.test(written)) return []
    if (!written.startsWith('~/')) return [resolve(workFolder, written)]
    return home === undefined ? [] : [join(home, written.slice(2))]
  })
}

/** By its name: what another interpreter runs sources nothing. */
function isOfShell(path: string): boolean {
  return !hasScriptName(path) || /\.(?:ba|z)?sh$/u.test(path)
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Relative in the work folder, absolute elsewhere. */
function nameOf(path: string, workFolder: string): string {
  const way = relative(workFolder, path)
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

/** What a script of a shell reads in is part of it; what is longer is no script that a person has written. */
const maxBytes = 64 * 1024
const maxDepth = 5

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
export function filesSourcedBy(script: string, workFolder: string): readonly string[] {
  const found = new Set<string>()
  let level = [script]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap((path) => namedIn(path, workFolder)).filter((path) => !found.has(path))
    for (const path of level) found.add(path)
  }
  return [...found]
}

function namedIn(path: string, workFolder: string): readonly string[] {
  return [...readScript(path).matchAll(sourcing)].flatMap(([, written = '']) => {
    const beside = besideScript.exec(written)
    if (beside !== null) return [resolve(dirname(path), written.slice(beside[0].length))]
    const name = written.replaceAll(/^['"]|['"]$/gu, '')
    if (/[$~]/u.test(name) || name === '') return []
    const near = resolve(dirname(path), name)
    return [resolve(workFolder, name), ...(isFile(near) ? [near] : [])]
  })
}

/** Empty where it is no text of usual length. */
function readScript(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size <= maxBytes ? readText(path) : ''
}

/** What is known of the scripts of the checks beside their marks. */
interface ScriptsKnown {
  /** Names that stand in the command lines of the checks, and what reads them. */
  readonly named: NamedScripts
  /** It is a file of the baseline tree, or of the delivered one, where the trees are compared. */
  readonly isInTree: (path: BytePath) => boolean
}

/** What became of the scripts that lie outside of the tree, are ignored by git, or stand behind a link. */
export function scriptFindings(before: Marks, now: Marks, known: ScriptsKnown): readonly TamperFinding[] {
  return Object.entries(before).flatMap(([name, was]): readonly TamperFinding[] => {
    const is = now[name] ?? absent
    if (known.isInTree(bytePathOfText(name))) return []
    if (is !== was && !(isNoFile(was) && isNoFile(is))) return [besideTree(name, was, is, known)]
    return isNoFile(is) || /[0-9a-f]{64}$/u.test(is) ? [] : [{ ...incomparable, path: name }]
  })
}

function besideTree(name: string, was: string, is: string, { named }: ScriptsKnown): TamperFinding {
  const isMade = (was === absent && named.has(name)) || isBuilt(name, was, is)
  const where = isAbsolute(name)
    ? 'it lies outside of the work folder'
    : 'git does not know it, or it is behind a link'
  return {
    ...{
      rule: 'check-script.changed',
      path: name,
      ...(isMade && !isAbsolute(name) ? { atMost: 'note' } : {}),
    },
    message: `a check runs it, and it ${became(was, is)} during the run; ${where}`,
  }
}

/** What is compiled from sources changes with them. */
function isBuilt(name: string, was: string, is: string): boolean {
  const isOutput = /(?:^|\/)(?:dist|build|out|lib|esm|cjs|target|\.next|\.output)\/.*\.[cm]?js$/u.test(name)
  return isOutput || (was.startsWith('binary ') && is.startsWith('binary '))
}

const incomparable = {
  rule: 'check-script.changed',
  message: 'a check runs it, and it cannot be read as a whole: it is not compared',
  atMost: 'note',
} as const

function isNoFile(mark: string): boolean {
  return mark === absent || mark === 'folder'
}

function became(was: string, is: string): string {
  if (was === absent) return 'appeared'
  return is === absent ? 'was removed' : 'was changed'
}
