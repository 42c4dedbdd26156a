/** Scripts of the checks wherever they lie: also where git ignores them, behind a link, and outside of the work folder. */
import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { hasScriptName, programsNamedIn, scriptsNamedIn } from '../../protect/index.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { markOf } from './mark-file.ts'
import { sourcedBy } from './sourced-files.ts'

/** Where the command lines of the checks are run. */
export interface ScriptPlace {
  readonly workFolder: string
  readonly home: string | null
  readonly commands: readonly string[]
}

/** Nothing was there. */
export const absent = 'absent'

/** More than these are not the checks of one project. */
const mostScripts = 200

/** What the checks run and what that reads in, by name; as it is now. */
export function checkScripts(place: ScriptPlace): Marks {
  const { workFolder } = place
  const named = pathsOf(scriptsNamedIn(place.commands), place)
  const sourced = named.filter((path) => isOfShell(path)).flatMap((path) => sourcedBy(path, workFolder))
  const all = [...named, ...sourced].flatMap((path) => [path, realOf(path)])
  const names = [...new Set(all.map((path) => nameOf(path, workFolder)))].slice(0, mostScripts)
  return lookAtScripts(workFolder, names)
}

export type NamedScripts = ReadonlyMap<string, 'program' | 'make'>

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
  const mark = markOf(path, true)
  if (mark === undefined) return absent
  return /^(?:file|executable) [0-9a-f]{64}$/u.test(mark) && isBinary(path) ? `binary ${mark}` : mark
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
    return home === null ? [] : [join(home, written.slice(2))]
  })
}

/** By its name: what another interpreter runs sources nothing. */
function isOfShell(path: string): boolean {
  return !hasScriptName(path) || /\.(?:ba|z)?sh$/u.test(path)
}

function realOf(path: string): string {
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
