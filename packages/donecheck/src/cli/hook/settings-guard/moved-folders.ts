/** Folders above what must not be touched: whoever moves or removes one takes along what is in it. */
import { basename, isAbsolute, relative, sep } from 'node:path'
import { isOwnPlace } from '@donecheck/agents/session'
import { realPath } from '@donecheck/engine/base'
import { writtenPlaces, type FoundCommand } from '@donecheck/engine/shell'
import {
  resolveWord,
  changesPipedFiles,
  foldersOf,
  globPattern,
  resolveLinks,
  type ProtectedPlaces,
} from './protected-places.ts'
import { foldersUpward } from '../files.ts'

/** What they are given cannot be read or written as before, whatever lies in it. */
const changers = /^(?:rename|gio|chmod|chown|chgrp|chattr|setfacl|sqlite3|mount|umount)$/u

/** The word that names one; undefined: none is moved, removed or replaced. */
export function findMovedFolder(
  commands: readonly FoundCommand[],
  places: ProtectedPlaces,
): string | undefined {
  const from = foldersOf(commands, places)
  const isPiped = commands.some(changesPipedFiles)
  const touched = commands
    .filter((found) => !findsOnlyOthers(found, from, places))
    .flatMap((found) => pathsMovedBy(found, isPiped))
  if (touched.length === 0) return undefined
  const kept = new Set(
    places.ownPlaces.flatMap((place) => [...foldersUpward(place), ...foldersUpward(realPath(place))]),
  )
  return touched.find((word) => from.some((folder) => namesProtected(kept, word, folder, places)))
}

/**
 * `find . -name '*.pyc' -delete`: none of our files there has such a name. Nobody looks for what `!` or `-o` may make of it, but
 * between names in brackets, and what lies in a folder of ours may have any name.
 */
function findsOnlyOthers({ words }: FoundCommand, from: readonly string[], places: ProtectedPlaces): boolean {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const line = rest.join(' ').replaceAll(/\( (?:-i?name \S+(?: -o (?=-i?name))? ?)+\)/gu, '')
  const names = rest.filter((_, index) => /^-i?name$/u.test(rest[index - 1] ?? ''))
  if (basename(program) !== 'find' || names.length === 0) return false
  if (/(?:^| )(?:!|-not|-o|-or|,|\(|\))(?: |$)/u.test(line)) return false
  const patterns = names.map((name) => globPattern(name.toLowerCase()))
  const starts = from.flatMap((folder) => startsOfFind(rest).map((word) => resolveWord(word, folder, places)))
  return places.ownPlaces
    .flatMap((place) => starts.flatMap((start) => namesBelow(start, place)))
    .every((name) => !patterns.some((pattern) => pattern.test(name)) && /\.\w+$/u.test(name))
}

function startsOfFind(words: readonly string[]): readonly string[] {
  const end = words.findIndex(isOption)
  const starts = end === -1 ? words : words.slice(0, end)
  return starts.length === 0 ? ['.'] : starts.slice(0, 9)
}

/** Names on the way down to a file. */
function namesBelow(start: string, place: string): readonly string[] {
  const way = relative(start, place)
  return way.startsWith('..') ? [] : way.toLowerCase().split(sep)
}

function namesProtected(
  kept: ReadonlySet<string>,
  word: string,
  from: string,
  places: ProtectedPlaces,
): boolean {
  const path = resolveWord(word, from, places)
  return [path, resolveLinks(path)].some((one) => matches(kept, one) || isOwnPlace(one, places.ownPlaces))
}

/** `.cl*` names `.claude`. */
function matches(kept: ReadonlySet<string>, path: string): boolean {
  if (kept.has(path)) return true
  if (!/[*?[]/u.test(path)) return false
  const meant = globPattern(path)
  return [...kept].some((one) => meant.test(one))
}

/** @param isPiped what it prints is changed or removed by another command */
function pathsMovedBy(found: FoundCommand, isPiped: boolean): readonly string[] {
  const [program = '', ...rest] = found.words.map(({ text, written }) => text ?? written)
  const operands = rest.filter((word) => !word.startsWith('-'))
  const removed = (writtenPlaces(found) ?? [])
    .filter(({ kind }) => kind === 'removed')
    .map(({ path, written }) => path ?? written)
  const replaced = operands.slice(1).slice(-1).filter(isBelow)
  switch (basename(program)) {
    case 'find':
      return isPiped || rest.some(isAct) ? startsOfFind(rest) : []
    case 'ls':
      return isPiped && rest.some((word) => /^-\w*[aA]/u.test(word)) ? ['.', ...operands] : []
    case 'git':
      return [...removed, ...pathsRestoredByGit(operands, rest)]
    case 'ln':
      return replaced
    case 'mv':
      return [...removed, ...replaced]
    default:
      return changers.test(basename(program)) ? operands : removed
  }
}

/** What `find` does with each file that it has found. */
const isAct = (word: string) => /^-(?:delete|exec|execdir|ok|okdir)$/u.test(word)
const isOption = (word: string) => /^[-(!]/u.test(word)

/** Words that name files; to put back or to stash all is usual work. */
function pathsRestoredByGit(
  [subcommand, ...operands]: readonly string[],
  words: readonly string[],
): readonly string[] {
  if (subcommand === 'clean') return operands
  if (subcommand !== 'checkout' && subcommand !== 'restore') return []
  const named = words.includes('--') ? words.slice(words.indexOf('--') + 1) : operands
  return named.filter((word) => !/^\.{1,2}\/?$/u.test(word))
}

/** To move something into the folder where one stands, or one above, takes nothing away. */
function isBelow(word: string): boolean {
  return !/^(?:[./~]|\.\.|\$HOME|(?:\.\.\/)+)\/?$/u.test(word) && !isAbsolute(word)
}
