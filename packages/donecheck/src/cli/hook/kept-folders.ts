/** Folders above what must not be touched: whoever moves or removes one takes along what is in it. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
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
  const from = foldersOf(commands, places)
  const touched = commands.filter((found) => !findsOthers(found, from, places)).flatMap(touchedBy)
  if (touched.length === 0) return undefined
  const kept = new Set(places.ownPlaces.flatMap((place) => [...upwards(place), ...upwards(realPath(place))]))
  return touched.find((word) => from.some((folder) => namesOneOf(kept, word, folder, places)))
}

/**
 * `find . -name '*.pyc' -delete`: none of our files there has such a name. Nobody looks for what `!` or `-o` may make of it, but
 * between names in brackets, and what lies in a folder of ours may have any name.
 */
function findsOthers({ words }: FoundCommand, from: readonly string[], places: KeptPlaces): boolean {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const line = rest.join(' ').replaceAll(/\( (?:-i?name \S+(?: -o (?=-i?name))? ?)+\)/gu, '')
  const names = rest.filter((_, index) => /^-i?name$/u.test(rest[index - 1] ?? ''))
  if (basename(program) !== 'find' || names.length === 0) return false
  if (/(?:^| )(?:!|-not|-o|-or|,|\(|\))(?: |$)/u.test(line)) return false
  const patterns = names.map((name) => patternOf(name.toLowerCase()))
  const starts = from.flatMap((folder) => startsOfFind(rest).map((word) => absolute(word, folder, places)))
  return places.ownPlaces
    .flatMap((place) => starts.flatMap((start) => partsBelow(start, place)))
    .every((name) => !patterns.some((pattern) => pattern.test(name)) && /\.\w+$/u.test(name))
}

function startsOfFind(words: readonly string[]): readonly string[] {
  const end = words.findIndex(isOption)
  return end <= 0 ? ['.'] : words.slice(0, end)
}

/** Names on the way down to a file. */
function partsBelow(start: string, place: string): readonly string[] {
  const way = relative(start, place)
  return way.startsWith('..') ? [] : way.toLowerCase().split(sep)
}

function namesOneOf(kept: ReadonlySet<string>, word: string, from: string, places: KeptPlaces): boolean {
  const path = absolute(word, from, places)
  const real = join(realPath(dirname(path)), basename(path))
  return [path, real].some((one) => matches(kept, one) || isOwnPlace(one, places.ownPlaces))
}

/** `.cl*` names `.claude`. */
function matches(kept: ReadonlySet<string>, path: string): boolean {
  if (kept.has(path)) return true
  if (!/[*?[]/u.test(path)) return false
  const meant = patternOf(path)
  return [...kept].some((one) => meant.test(one))
}

/** As a shell reads it: `*` and `?` are no `/`, and no dot at the beginning of a name. */
export function patternOf(path: string): RegExp {
  const parts = path.split(/(?<wild>\[[^\]]*\]|[*?[])/u).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    return part === '*' ? '[^/]*' : '[^/]'
  })
  return new RegExp(`^${parts.join('').replaceAll('/[^/]', '/(?!\\.)[^/]')}$`, 'u')
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
  if (subcommand === 'rm' || subcommand === 'mv' || subcommand === 'clean') return operands
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
    const all = words.map(({ text, written }) => text ?? written)
    const [program, target] = all
    const given = all.filter((_, index) => /^(?:-C|--chdir|--directory|--cwd)$/u.test(all[index - 1] ?? ''))
    folders = [...folders, ...given.map((folder) => absolute(folder, folders.at(-1) ?? '', places))]
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
