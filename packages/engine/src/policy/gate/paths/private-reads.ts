/** Whether a command reads what is private, as far as its words say. */
import {
  commandWords,
  type CommandWords,
  type FoundCommand,
  type FoundWord,
  hasOption,
  plain,
} from '../../../analysis/shell/index.ts'
import { absolutePath, fullPath, isWithin, leadsTo } from '../built-in-rules/file-location.ts'
import type { CommandLocation, BuiltInRule } from '../built-in-rules/built-in-rule.ts'
import type { Folders } from './folders.ts'
import { filesWrittenBy } from './written-files.ts'
import { namesPrivatePlace, privacyOf, type Privacy } from './private-paths.ts'

export const privateRead: BuiltInRule = {
  name: 'reading of keys and credentials',
  severity: 'dangerous',
  justification: 'they are not part of the project, and nothing hides them here',
  // Whatever reads: see `readsPrivate`.
  programs: [],
}

export const unknownRead: BuiltInRule = {
  name: 'reading of what is not known',
  severity: 'dangerous',
  justification:
    'which file it reads is only known when it runs, and nothing hides keys and credentials here; name the file',
  programs: [],
}

export interface Reading {
  readonly folders: Folders
  readonly place: CommandLocation
  /** Some part of the line names such a place, whatever it does with it. */
  readonly isNamedInLine: boolean
  /** It may have words that stand nowhere in the line. */
  readonly takesWordsFromInput: boolean
  /** Names that do not stand in the line are followed: see `followsNames`. */
  readonly isFollowed: boolean
}

/** Indexes of the words by which it does; undefined: none is seen. Names of files are no secret, so that `ls` is none. */
export function readsPrivate(found: FoundCommand, reading: Reading): readonly number[] | undefined {
  const command = commandWords(found)
  if (command.program === null || namesOnly.has(command.program) || found.isTransparent) return undefined
  const isDeep = goesDown(command)
  const changed = new Set(
    filesWrittenBy(found).flatMap(({ span, kind }) =>
      kind === 'removed' || span === null ? [] : span.join(),
    ),
  )
  const indexes = found.words.flatMap((word, index) => {
    if (index === 0 || (word.span !== null && changed.has(word.span.join()))) return []
    const privacy = privacyOfWord(word, reading)
    return privacy === 'at' || (privacy === 'above' && isDeep) ? [index] : []
  })
  if (indexes.length > 0) return [0, ...indexes]
  const takesUnknown = reading.takesWordsFromInput || found.words.some(({ text }) => text === null)
  return takesUnknown && reading.isNamedInLine ? [0] : undefined
}

/** It prints what is in files whose names nobody can tell from the line. */
export function readsUnknown(found: FoundCommand, reading: Reading): boolean {
  const { program } = commandWords(found)
  if (program === null || namesOnly.has(program) || found.isTransparent || reading.isFollowed) return false
  const isOpen = found.words.some(
    ({ text, written }) => text === null && /[$`]|^~[+-]/u.test(written) && !/^[<>]\(/u.test(written),
  )
  return isOpen || (reading.takesWordsFromInput && program !== 'xargs')
}

/** Such as `f=~/.ssh/id_rsa; cat $f`: where it is named and what reads it are two. */
export function isPrivateNamedIn(script: string, folders: Folders, place: CommandLocation): boolean {
  const texts = script.split(/[\s;&|()<>"'`=]+/u).map(plain)
  return texts.some(
    (text) =>
      namesPrivatePlace(text) ||
      (/^[~/]./u.test(text) && text !== '//' && privacyAt(text, folders, place) !== null) ||
      text === '~',
  )
}

/** A file that the line itself opens. */
export function isPrivateFile(
  { path, written }: { readonly path: string | null; readonly written: string },
  { folders, place }: Pick<Reading, 'folders' | 'place'>,
): boolean {
  const text = path ?? plain(written)
  return namesPrivatePlace(text) || privacyAt(text, folders, place) === 'at'
}

/** They tell that a file is there, and nothing of what is in it. */
const namesOnly: ReadonlySet<string> = new Set([
  ...['basename', 'cd', 'chdir', 'chmod', 'chown', 'dirname', 'echo', 'exit', 'false', 'ls', 'mkdir', 'popd'],
  ...['printf', 'pushd', 'pwd', 'readlink', 'realpath', 'rm', 'rmdir', 'stat', 'test', 'touch', 'true'],
  ...['type', 'unlink', 'which', '[', '[[', ':'],
])

/** Whether it reads all that is in a folder. */
function goesDown(command: CommandWords): boolean {
  const { program, words } = command
  if (/^(?:rg|ag|ack|tar|zip|7z|rsync)$/u.test(program ?? '')) return true
  if (program === 'find' || program === 'fd')
    return words.some(({ text }) => text === null || /^-(?:[xX]|-?exec|execdir|ok|okdir)/u.test(text))
  return hasOption(command, '-r', '-R', '-a', '--recursive', '--dereference-recursive', '--archive')
}

/** In every part: `-f~/.ssh/x`, `--file=/home/ann/.ssh/x`, `x=@~/.ssh/x`, `file:///etc/shadow`. */
function privacyOfWord({ text, written }: FoundWord, { folders, place }: Reading): Privacy {
  const whole = text ?? plain(written)
  if (namesPrivatePlace(whole)) return 'at'
  const parts = whole.split(/[=@:,]/u)
  const attached = /^-[a-zA-Z](?=[/~$])(?<path>.+)$/su.exec(whole)?.groups?.['path']
  const texts = new Set([whole, ...parts, ...(attached === undefined ? [] : [attached])])
  const found = [...texts].filter((part) => part !== '').map((part) => privacyAt(plain(part), folders, place))
  return found.includes('at') ? 'at' : found.includes('above') ? 'above' : null
}

/** In a folder that is only known when it runs a relative name may be any. */
function privacyAt(text: string, { all, isUnknown }: Folders, place: CommandLocation): Privacy {
  const isRelative = !/^[~/]/u.test(text)
  // `$x/y`: nothing is known of where it begins.
  if (/^[$`]/u.test(text) || (isRelative && isUnknown)) return null
  let seen: Privacy = null
  for (const folder of isRelative ? all : [place.folder]) {
    const named = absolutePath(text, { ...place, folder })
    const full = privacyOf(fullPath(named, place)) === 'at' ? named : leadsTo(named, place)
    if (isWithin(full, place.workFolder) && privacyOf(fullPath(place.workFolder, place)) === 'at') continue
    const privacy = privacyOf(fullPath(full, place))
    if (privacy === 'at') return 'at'
    seen = privacy ?? seen
  }
  return seen
}
