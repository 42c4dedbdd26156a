/** Words of a command that name what must not be touched, where nobody knows that the program only reads it. */
import { basename, resolve } from 'node:path'
import { onlyReads } from '../../gate/index.ts'
import { isOwnPlace } from '../../ride/index.ts'
import type { Decomposition, FoundCommand } from '../../shell/index.ts'
import { foldersOf, patternOf, type KeptPlaces } from './kept-folders.ts'
import { pathsIn } from './named-in-code.ts'

/** What they write or remove is found by the policy, or among the kept folders; what else they are given they read. */
const judgedElsewhere =
  /^(?:tee|sponge|touch|cp|install|ln|rsync|scp|curl|wget|find|mv|rm|rmdir|unlink|shred|trash|trash-put|truncate|dd|sed|tar|chmod|chown|chgrp)$/u
const changers = /^(?:tee|sponge|cp|ln|mv|rm|unlink|shred|truncate|dd|sed|chmod|sh|bash|zsh)$/u
/** They show or carry away what they are given, or only give it a name. */
const readers =
  /^(?:bat|batcat|code|cursor|subl|open|xdg-open|shasum|b2sum|md5|jq|gojq|jsonlint|check-jsonschema|gh|zip|export|declare|typeset|local|readonly|alias)$/u
const readsOfGit =
  /^(?:add|stage|commit|push|tag|notes|update-index|hash-object|check-ignore|check-attr|ls-files|diff|difftool|log|show|blame|status|format-patch|bundle|archive|grep)$/u
/** With these nothing is written. */
const promises = /^(?:--check|--list-different|--dry-run|--help)$/u
/** Editors that change a file only where they are told to. */
const inPlace = /^(?:-[a-z]*i|--in-?place|inplace)/u
const interpreters =
  /^(?:i?python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|perl[\d.]*|ruby[\d.]*|php[\d.]*)$/u
/** What code that writes, removes or starts something has in it. */
const writings =
  /writ|unlink|\brm|remov|delet|renam|mov|replac|trunc|chmod|copy|link|cp|dump|put|touch|["'](?:[wax]b?\+?|r\+)["']|system|exec|spawn|popen|run|`/iu

/** The word of a line that names one, as it is written; undefined: there is none. */
export function placeInWords(commands: readonly FoundCommand[], places: KeptPlaces): string | undefined {
  const folders = foldersOf(commands, places)
  return commands
    .filter((found) => !mayBeGiven(found))
    .flatMap(({ words }) => words.slice(1).flatMap(({ text, written }) => pathsOf(text ?? written)))
    .find((path) => folders.some((folder) => isNamed(path, folder, places)))
}

/** `f=SETTINGS; rm "$f"`, `echo SETTINGS | xargs rm`: a line that names one, and changes a file of which nobody knows the name. */
export function placeBeforeUnknown(
  script: string,
  line: Decomposition,
  places: KeptPlaces,
): string | undefined {
  const { commands, writes } = line
  const isUnknown = writes.some(({ path }) => path === null) || commands.some(changesUnknown)
  if (!isUnknown) return undefined
  const folders = foldersOf(commands, places)
  return pathsIn(script).find((path) => folders.some((folder) => isNamed(path, folder, places)))
}

function changesUnknown({ words, through }: FoundCommand): boolean {
  const takesNames = through.some((name) => /^xargs\b/u.test(name))
  const isChanger = changers.test(basename(words[0]?.text ?? ''))
  return isChanger && (takesNames || words.some(({ text }) => text === null))
}

function isNamed(path: string, folder: string, places: KeptPlaces): boolean {
  const absolute = resolve(folder, inFull(path, places))
  if (isOwnPlace(absolute, places.ownPlaces)) return true
  return /[*?[]/u.test(path) && places.ownPlaces.some((place) => patternOf(absolute).test(place))
}

function mayBeGiven(found: FoundCommand): boolean {
  const [program = '', ...rest] = found.words.map(({ text, written }) => text ?? written)
  const name = basename(program)
  // What they start is found beside them.
  if (found.isTransparent || /^(?:sudo|doas|xargs)$/u.test(name) || onlyReads(found)) return true
  if (judgedElsewhere.test(name) || readers.test(name) || rest.some((word) => promises.test(word)))
    return true
  if (name === 'git') return readsOfGit.test(rest.find((word) => !word.startsWith('-')) ?? '')
  if (/^(?:yq|[gmn]?awk)$/u.test(name)) return !rest.some((word) => inPlace.test(word))
  return interpreters.test(name) && isReadingCode(rest)
}

/** `python3 -c 'print(open(sys.argv[1]).read())' FILE`, `perl -ne 'print' FILE`, `python3 -m json.tool FILE`. */
function isReadingCode(words: readonly string[]): boolean {
  const module = words.indexOf('json.tool')
  if (module !== -1) return words.slice(module + 1).filter((word) => !word.startsWith('-')).length === 1
  if (words.some((word) => /^-\w*i/u.test(word))) return false
  const at = words.findIndex((word) => /^(?:-[a-z]*[cenpr]|--eval|--print)$/u.test(word))
  return at !== -1 && !writings.test(words[at + 1] ?? '')
}

/** The word itself, and what stands behind the name of an option. */
function pathsOf(word: string): readonly string[] {
  const attached = /^(?:-{1,2}[\w-]+=|-\w|[\w-]+=|@)(?<path>.+)$/su.exec(word)?.groups?.['path']
  return attached === undefined ? [word] : [word, attached]
}

function inFull(path: string, { homeFolder }: KeptPlaces): string {
  return path.replace(/^~(?=\/|$)/u, homeFolder)
}
