/** Folders above what must not be touched: whoever moves or removes one takes along what is in it. */
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { FoundCommand } from '../../shell/index.ts'
import { realPath } from '../../real-path.ts'

export interface KeptPlaces {
  readonly workFolder: string
  readonly homeFolder: string
  /** Absolute. */
  readonly ownPlaces: readonly string[]
}

const removers = /^(?:rm|rmdir|unlink|shred|trash|trash-put|gio|mv|rename)$/u
/** Their last word becomes something else as a whole. */
const replacers = /^(?:mv|ln)$/u

/** The word that names one; undefined: none is moved, removed or replaced. */
export function keptFolderIn(commands: readonly FoundCommand[], places: KeptPlaces): string | undefined {
  const kept = new Set(places.ownPlaces.flatMap((place) => [...upwards(place), ...upwards(realPath(place))]))
  const from = foldersOf(commands, places)
  return commands
    .flatMap(touchedBy)
    .find((word) => from.some((folder) => namesOneOf(kept, word, folder, places)))
}

function namesOneOf(kept: ReadonlySet<string>, word: string, from: string, places: KeptPlaces): boolean {
  const path = absolute(word, from, places)
  return [path, join(realPath(dirname(path)), basename(path))].some((one) => matches(kept, one))
}

/** Of a pattern only the last name is looked at: `.cl*` names `.claude`. */
function matches(kept: ReadonlySet<string>, path: string): boolean {
  if (kept.has(path)) return true
  const name = basename(path)
  if (!/[*?[]/u.test(name)) return false
  const [before = ''] = name.split(/[*?[]/u)
  // A shell leaves out names that begin with a dot.
  const isMeant = (found: string) => found.startsWith(before) && (before !== '' || !found.startsWith('.'))
  return [...kept].some((one) => dirname(one) === dirname(path) && isMeant(basename(one)))
}

function touchedBy({ words }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const operands = rest.filter((word) => !word.startsWith('-'))
  const name = basename(program)
  if (name === 'find' && rest.includes('-delete')) return operands.slice(0, 1)
  if (name === 'git' && (operands[0] === 'rm' || operands[0] === 'mv')) return operands.slice(1)
  if (!removers.test(name) && !replacers.test(name)) return []
  if (name === 'ln') return operands.slice(1).slice(-1).filter(isBelow)
  return name === 'mv' ? [...operands.slice(0, -1), ...operands.slice(-1).filter(isBelow)] : operands
}

/** To move something into the folder where one stands, or one above, takes nothing away. */
function isBelow(word: string): boolean {
  return !/^(?:[./~]|\.\.|\$HOME|(?:\.\.\/)+)\/?$/u.test(word) && !isAbsolute(word)
}

/** Wherever the line goes, and where it starts. */
function foldersOf(commands: readonly FoundCommand[], places: KeptPlaces): readonly string[] {
  let folders: readonly string[] = [places.workFolder]
  for (const { words } of commands) {
    const [program, target] = words.map(({ text, written }) => text ?? written)
    if ((program === 'cd' || program === 'pushd') && target !== undefined)
      folders = [...folders, absolute(target, folders.at(-1) ?? places.workFolder, places)]
  }
  return folders
}

function absolute(word: string, from: string, { homeFolder }: KeptPlaces): string {
  const bare = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homeFolder).replaceAll(/["']/gu, '')
  return resolve(from, bare)
}

function upwards(place: string): readonly string[] {
  const above: string[] = [place]
  for (let one = dirname(place); one !== dirname(one); one = dirname(one)) above.push(one)
  return [...above, sep]
}
