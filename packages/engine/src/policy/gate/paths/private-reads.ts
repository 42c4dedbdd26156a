import {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from '../../../analysis/protect/index.ts'
import {
  commandWords,
  type CommandWords,
  type Decomposition,
  type FoundCommand,
  type FoundWord,
  hasOption,
  plain,
  filesWrittenBy,
} from '../../../analysis/shell/index.ts'
import { absolutePath, type Folders, fullPath, isWithin, leadsTo } from '../built-in-rules/file-location.ts'
import type { BuiltInRule, CommandLocation } from '../built-in-rules/file-location.ts'

export const privateRead: BuiltInRule = {
  name: 'reading of keys and credentials',
  severity: 'dangerous',
  justification: 'they are not part of the project, and nothing hides them here',
  // Any reading program: see `readsPrivate`.
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
  readonly isNamedInLine: boolean
  /** It may have words that are not in the line. */
  readonly takesWordsFromInput: boolean
  readonly sources: NameSources
}

/** Indexes of words that read private content; undefined if none. File names are not private. */
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

/** Prints files whose names are known only at run time. */
export function readsUnknown(found: FoundCommand, { takesWordsFromInput, sources }: Reading): boolean {
  const { program } = commandWords(found)
  if (program === null || namesOnly.has(program) || found.isTransparent) return false
  const isOpen = found.words.some(({ text, written }) => text === null && isOpenName(plain(written), sources))
  return isOpen || (takesWordsFromInput && program !== 'xargs' && !sources.isListed)
}

function isOpenName(written: string, { loopNames }: NameSources): boolean {
  if (
    !/[$`]|^~[+-]|^\{/u.test(written) ||
    /^[<>]\(|^\{\}$|^\$(?:PWD|\{PWD\})\/[\w./@+-]*$|^\$[#?$!]$/u.test(written)
  )
    return false
  const [, name = ''] = /^\$\{?(\w+)\}?$/u.exec(written) ?? []
  return !loopNames.has(name)
}

export function isPrivateNamedIn(script: string, folders: Folders, place: CommandLocation): boolean {
  const texts = script.split(/[\s;&|()<>"'`=]+/u).map(plain)
  return texts.some(
    (text) =>
      namesPrivatePlace(text) ||
      (/^[~/]./u.test(text) && text !== '//' && privacyAt(text, folders, place) !== null) ||
      text === '~',
  )
}

export function isPrivateFile(
  { path, written }: { readonly path: string | null; readonly written: string },
  { folders, place }: Pick<Reading, 'folders' | 'place'>,
): boolean {
  const text = path ?? plain(written)
  return namesPrivatePlace(text) || privacyAt(text, folders, place) === 'at'
}

const namesOnly: ReadonlySet<string> = new Set([
  ...['basename', 'cd', 'chdir', 'chmod', 'chown', 'dirname', 'echo', 'exit', 'false', 'ls', 'mkdir', 'popd'],
  ...['printf', 'pushd', 'pwd', 'readlink', 'realpath', 'rm', 'rmdir', 'stat', 'test', 'touch', 'true'],
  ...['type', 'unlink', 'which', '[', '[[', ':'],
])

/** Whether it reads a folder recursively. */
function goesDown(command: CommandWords): boolean {
  const { program, words } = command
  if (/^(?:rg|ag|ack|tar|zip|7z|rsync)$/u.test(program ?? '')) return true
  if (program === 'find' || program === 'fd')
    return words.some(({ text }) => text === null || /^-(?:[xX]|-?exec|execdir|ok|okdir)/u.test(text))
  return hasOption(command, '-r', '-R', '-a', '--recursive', '--dereference-recursive', '--archive')
}

/** Checks every part: `-f~/.ssh/x`, `--file=/home/ann/.ssh/x`, `x=@~/.ssh/x`, `file:///etc/shadow`. */
function privacyOfWord({ text, written }: FoundWord, { folders, place }: Reading): Privacy {
  const whole = text ?? plain(written)
  if (namesPrivatePlace(whole)) return 'at'
  const parts = whole.split(/[=@:,]/u)
  const attached = /^-[a-zA-Z](?=[/~$])(?<path>.+)$/su.exec(whole)?.groups?.['path']
  const texts = new Set([whole, ...parts, ...(attached === undefined ? [] : [attached])])
  const found = [...texts].filter((part) => part !== '').map((part) => privacyAt(plain(part), folders, place))
  return found.includes('at') ? 'at' : found.includes('above') ? 'above' : null
}

/** In an unknown folder relative names are unknown. */
function privacyAt(text: string, { all, isUnknown }: Folders, place: CommandLocation): Privacy {
  const isRelative = !/^[~/]/u.test(text)
  // `$x/y` has an unknown start.
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

/** Case-insensitive, as some file systems are. */
const places: readonly string[] = [
  ...privatePlacesOfHome.map((place) => `~/${place}`),
  ...privatePlacesOfConfig.map((place) => `~/.config/${place}`),
  ...privatePlacesOfSystem,
].map((place) => place.toLowerCase())

/** A sandbox has its own `/proc`. */
const ofProcess = /^\/proc\/[^/]+\/(?:environ|mem)(?:\/|$)/u

const naming = new RegExp(`^\\$\\{?(?:${privatePlaceVariables.join('|')})\\b`, 'iu')

/** `at`: private or inside a private folder. `above`: contains one. */
type Privacy = 'at' | 'above' | null

/** Run-time parts may be any name in their folder. @param path absolute without `..`, or below `~` */
export function privacyOf(path: string): Privacy {
  const home = path
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/)/u, '')
    .replace(/^\/(?:home\/[^/]+|users\/[^/]+|root)(?=\/|$)/iu, '~')
    .toLowerCase()
  if (ofProcess.test(home) || places.some((place) => isWithin(home, place))) return 'at'
  const open = home.search(/[$`(){}*?[\]]/u)
  const folder = open === -1 ? home : home.slice(0, Math.max(1, home.lastIndexOf('/', open)))
  const isAbove = /^\/(?:home|users|proc)?$/u.test(folder) || places.some((place) => isWithin(place, folder))
  if (!isAbove) return null
  return open === -1 ? 'above' : 'at'
}

function namesPrivatePlace(written: string): boolean {
  return written.startsWith('$') && naming.test(written)
}

export interface NameSources {
  readonly loopNames: ReadonlySet<string>
  /** Standard input comes from programs that list files, such as `find`. */
  readonly isListed: boolean
}

export function nameSourcesOf(script: string, { commands }: Decomposition): NameSources {
  const loops = [...script.matchAll(/\bfor\s+(\w+)\s+in\s([^;\n]*)/gu)]
  const names = loops.flatMap(([, name = '', list = '']) => (/[$`]/u.test(list) ? [] : [name]))
  const isSetOnce = (name: string) =>
    !new RegExp(`\\b${name}=|\\b(?:read|mapfile)\\b.*\\b${name}\\b`, 'u').test(script)
  return {
    loopNames: new Set(names.filter(isSetOnce)),
    isListed: commands.every((found) => found.through.length > 0 || listsNames(found)),
  }
}

function listsNames(found: FoundCommand): boolean {
  const { program, operands, options } = commandWords(found)
  if (program === 'rg' || program === 'grep')
    return options.some((option) => /^(?:-l|--files|--files-with-matches)$/u.test(option))
  if (/^(?:sort|uniq|head|tail)$/u.test(program ?? ''))
    return operands.every(({ text }) => /^\d+$/u.test(text ?? ''))
  return program === null ? false : /^(?:find|fd|git|xargs|seq)$/u.test(program) || namesOnly.has(program)
}
