/** Folders above what must not be touched: whoever moves or removes one takes along what is in it. */
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { FoundCommand } from '../../shell/index.ts'
import { realPath } from '../../real-path.ts'
import { isOwnPlace } from '../../ride/index.ts'

export interface KeptPlaces {
  readonly workFolder: string
  readonly homeFolder: string
  /** Absolute. */
  readonly ownPlaces: readonly string[]
}

const removers = /^(?:rm|rmdir|unlink|shred|trash|trash-put|gio|mv|rename)$/u
/** What they are given cannot be read or written as before, whatever lies in it. */
const changers =
  /^(?:chmod|chown|chgrp|chattr|setfacl|truncate|mkfifo|mknod|sqlite3|rsync|unzip|cpio|mount|umount)$/u
/** Their last word becomes something else as a whole. */
const replacers = /^(?:mv|ln)$/u

/** The word that names one; undefined: none is moved, removed or replaced. */
export function keptFolderIn(commands: readonly FoundCommand[], places: KeptPlaces): string | undefined {
  const touched = commands.flatMap(touchedBy)
  if (touched.length === 0) return undefined
  const kept = new Set(places.ownPlaces.flatMap((place) => [...upwards(place), ...upwards(realPath(place))]))
  const from = foldersOf(commands, places)
  return touched.find((word) => from.some((folder) => namesOneOf(kept, word, folder, places)))
}

function namesOneOf(kept: ReadonlySet<string>, word: string, from: string, places: KeptPlaces): boolean {
  const path = absolute(word, from, places)
  const real = join(realPath(dirname(path)), basename(path))
  return [path, real].some((one) => matches(kept, one) || isOwnPlace(one, places.ownPlaces))
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
  if (name === 'find') return rest.some(isAct) ? rest.slice(0, rest.findIndex(isOption)).slice(0, 9) : []
  if (name === 'git') return takenByGit(operands, rest)
  if (name === 'tar') return rest.flatMap((word, index) => (rest[index - 1] === '-C' ? [word] : []))
  if (changers.test(name)) return operands
  if (!removers.test(name) && !replacers.test(name)) return []
  if (name === 'ln') return operands.slice(1).slice(-1).filter(isBelow)
  return name === 'mv' ? [...operands.slice(0, -1), ...operands.slice(-1).filter(isBelow)] : operands
}

/** What `find` does with each file that it has found. */
const isAct = (word: string) => /^-(?:delete|exec|execdir|ok|okdir)$/u.test(word)
const isOption = (word: string) => /^[-(!]/u.test(word)

/** Words that name files; to put back or to stash all is usual work. */
function takenByGit(
  [subcommand, ...operands]: readonly string[],
  words: readonly string[],
): readonly string[] {
  if (subcommand === 'rm' || subcommand === 'mv') return operands
  if (subcommand !== 'checkout' && subcommand !== 'restore') return []
  const named = words.includes('--') ? words.slice(words.indexOf('--') + 1) : operands
  return named.filter((word) => !/^\.{1,2}\/?$/u.test(word))
}

/** To move something into the folder where one stands, or one above, takes nothing away. */
function isBelow(word: string): boolean {
  return !/^(?:[./~]|\.\.|\$HOME|(?:\.\.\/)+)\/?$/u.test(word) && !isAbsolute(word)
}

/** Wherever the line goes, and where it starts. */
export function foldersOf(commands: readonly FoundCommand[], places: KeptPlaces): readonly string[] {
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
