/** Words of a command that name what must not be touched, where nobody knows that the program only reads it. */
import { basename } from 'node:path'
import { onlyReads, writtenPlaces, type Decomposition, type FoundCommand } from '@donecheck/engine/shell'
import { writingCode } from './code-spellings.ts'
import { changesUnknownFile, foldersOf, matchWord, type ProtectedPlaces } from './protected-places.ts'
import { codeOf, pathsIn } from './places-in-code.ts'

/** They show or carry away what they are given, give it a name, or change its rights: what they take away is found elsewhere. */
const readers =
  /^(?:bat|batcat|tree|code|cursor|subl|open|xdg-open|shasum|b2sum|md5|jq|gojq|jsonlint|check-jsonschema|gh|mkdir|export|declare|typeset|local|readonly|alias|find|chmod|chown|chgrp)$/u
const readsOfGit =
  /^(?:add|stage|commit|push|tag|notes|update-index|hash-object|check-ignore|check-attr|ls-files|diff|difftool|log|show|blame|status|format-patch|bundle|archive|grep|rm|mv)$/u
/** With these nothing is written. */
const dryRuns = /^(?:--check|--list-different|--dry-run|--help)$/u
/** Editors that change a file only where they are told to. */
const inPlace = /^(?:-[a-z]*i|--in-?place|inplace)/u
const interpreters =
  /^(?:i?python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|perl[\d.]*|ruby[\d.]*|php[\d.]*)$/u

/** The word of a line that names one, or the folder in which one lies, as it is written; undefined: there is none. */
export function findPlaceInWords(
  { commands, writes }: Pick<Decomposition, 'commands' | 'writes'>,
  places: ProtectedPlaces,
): string | undefined {
  const folders = foldersOf(commands, places)
  const named = commands.flatMap(writtenWords).find(({ path, isFile }) => {
    const naming = matchWord(path, folders, places)
    return naming === 'at' || (naming === 'holder' && !isFile)
  })
  if (named !== undefined) return named.path
  return writes.flatMap(({ path }) => path ?? []).find((path) => matchWord(path, folders, places) === 'at')
}

/** `f=SETTINGS; rm "$f"`, `echo SETTINGS | xargs rm`: a line that names one, and changes a file of which nobody knows the name. */
export function findPlaceBeforeUnknown(
  script: string,
  { commands, writes }: Decomposition,
  places: ProtectedPlaces,
): string | undefined {
  const isUnknown = (found: FoundCommand) =>
    changesUnknownFile(found) || codeOf(found).some(writesToArguments)
  if (!writes.some(({ path }) => path === null) && !commands.some(isUnknown)) return undefined
  const folders = foldersOf(commands, places)
  return pathsIn(script).find((path) => matchWord(path, folders, places) !== undefined)
}

/** Its environment, its arguments or its input tell the code what to write. */
function writesToArguments(code: string): boolean {
  return /environ|getenv|\bENV\b|process\.env|argv|stdin/iu.test(code) && writingCode.test(code)
}

interface CountedWord {
  readonly path: string
  /** A folder by that name is none. */
  readonly isFile: boolean
}

function writtenWords(found: FoundCommand): readonly CountedWord[] {
  const [program = '', ...rest] = found.words.map(({ text, written }) => text ?? written)
  const name = basename(program)
  // What they start is found beside them.
  if (found.isTransparent || /^(?:sudo|doas|xargs)$/u.test(name) || onlyReads(found)) return []
  const all = rest.flatMap(pathsOf).map((path) => ({ path, isFile: false }))
  // Another name for it leads to it as well.
  if (name === 'ln') return all
  if (interpreters.test(name)) return isReadingCode(rest) ? [] : all
  const places = writtenPlaces(found)
  if (places !== undefined)
    return places.map(({ path, written, kind }) => ({ path: path ?? written, isFile: kind !== 'folder' }))
  return isReader(name, rest) ? [] : all
}

function isReader(name: string, rest: readonly string[]): boolean {
  if (readers.test(name) || rest.some((word) => dryRuns.test(word))) return true
  if (name === 'git') return readsOfGit.test(rest.find((word) => !word.startsWith('-')) ?? '')
  return /^(?:yq|[gmn]?awk)$/u.test(name) && !rest.some((word) => inPlace.test(word))
}

/** `python3 -c 'print(open(sys.argv[1]).read())' FILE`, `perl -ne 'print' FILE`, `python3 -m json.tool FILE`. */
function isReadingCode(words: readonly string[]): boolean {
  const module = words.indexOf('json.tool')
  if (module !== -1) return words.slice(module + 1).filter((word) => !word.startsWith('-')).length === 1
  if (words.some((word) => /^-(?:\w*i|m$)/u.test(word))) return false
  const at = words.findIndex((word) => /^(?:-[a-z]*[cenpr]|--eval|--print)$/u.test(word))
  return at !== -1 && !writingCode.test(words[at + 1] ?? '')
}

/** The word itself, what stands behind the name of an option, and what stands between colons or commas. */
function pathsOf(word: string): readonly string[] {
  const attached = /^(?:-{1,2}[\w-]+=|-\w|[\w-]+=|@)(?<path>.+)$/su.exec(word)?.groups?.['path']
  const parts = word.length < 1000 && /[:,]/u.test(word) ? word.split(/[:,=]/u) : []
  return [word, ...(attached === undefined ? [] : [attached]), ...parts]
}
