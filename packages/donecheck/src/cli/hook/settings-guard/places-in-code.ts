/** What a program is given to run as text, in a word or on standard input: the paths that stand in it, in one piece or in several. */
import { basename } from 'node:path'
import { prints, textsOf, type FoundCommand } from '@donecheck/engine/shell'
import { joinLiterals, literalsIn, spellingsOf, writingCode } from './code-spellings.ts'
import { foldersOf, matchWord, tailsOf, type ProtectedPlaces } from './protected-places.ts'

/** They run, or apply, a text that is given to them, and so may write to whatever is named in it. */
const runners =
  /^(?:i?python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|irb|php[\d.]*|lua[\d.]*|luajit|tclsh|expect|osascript|swift|fish|nu|xonsh|make|gmake|Rscript|julia|elixir|groovy|pwsh|powershell|[gmn]?awk|sqlite3|sed|ed|ex|vim?|nvim|emacs|patch|apply_?patch)$/u
/** Whatever else a word is, it is no path by itself. */
const isCode = (word: string) => /[\s'"`()<>;|]/u.test(word)

const encoding = String.raw`(?:encoding\s*=\s*)?["'](?:utf|ascii|latin)[\w-]*["']`
/** Expressions that open a file to read it and for nothing else. */
const readingCode = new RegExp(
  String.raw`\b(?:(?:open|openSync|readFile|readFileSync|readTextFile|readTextFileSync|require|File\.read|File\.readlines|IO\.read|file_get_contents|exists|existsSync|isfile|getsize|getmtime|stat|statSync)\(\s*(["'])[^"'\n]*\1\s*(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']\s*)?(?:,\s*${encoding}\s*)?\)|Path\(\s*(["'])[^"'\n]*\2\s*\)\s*\.(?:read_text|read_bytes|exists|is_file|stat)\()`,
  'gu',
)
/** With these a folder is enough to take along, or to change, what is in it. */
const folderCode =
  /rmtree|\brm|remov|unlink|delet|renam|mov|replace|chmod|copy|\bcp|extract|unpack|archive|glob/iu

/** The path of a place of ours that is named in code, and not only to be read; undefined: none is. */
export function findPlaceInCode(
  commands: readonly FoundCommand[],
  places: ProtectedPlaces,
  more: readonly string[] = [],
): string | undefined {
  const folders = foldersOf(commands, places)
  const readsCode = commands.some(readsCodeFromInput)
  const codes = commands.flatMap((found) => (readsCode && prints(found) ? textsOf(found) : codeOf(found)))
  return [...codes, ...more].flatMap((code) => findNamedPlace(code, folders, places) ?? [])[0]
}

function findNamedPlace(
  code: string,
  folders: readonly string[],
  places: ProtectedPlaces,
): string | undefined {
  const texts = spellingsOf(code.replaceAll(readingCode, ' '))
  const whole = texts.join('\n')
  const isOnFolders = folderCode.test(whole)
  const isWriting = writingCode.test(whole)
  const tails = tailsOf(places)
  const names = [...new Set(texts.flatMap(pathsIn))]
  return (
    names.find((path) => {
      const naming = tails.get(path) ?? matchWord(path, folders, places)
      if (naming === 'holder' || /[*?]/u.test(path)) return isOnFolders && isWriting && naming !== undefined
      return naming === 'at'
    }) ?? (isWriting ? findPlaceInPieces(names, whole, places) : undefined)
  )
}

/** `d = '.claude'; open(d + '/settings.json', 'w')`: each part of it is written somewhere. */
function findPlaceInPieces(
  names: readonly string[],
  code: string,
  places: ProtectedPlaces,
): string | undefined {
  const parts = new Set(names.flatMap((name) => name.split('/')))
  const goesDown = /\*\*|rglob|walk|recursive/u.test(code)
  return [...tailsOf(places)].find(([tail, naming]) => {
    const [, ...way] = tail.split('/')
    if (naming !== 'at' || way.length < 2) return false
    return way.every((part) => parts.has(part)) || (goesDown && parts.has(way.at(-1) ?? ''))
  })?.[0]
}

export function codeOf({ words, input }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  if (!isRunner(program, rest)) return []
  return [...rest.filter(isCode), ...(input === undefined ? [] : [input])]
}

export function isRunner(program: string, rest: readonly string[]): boolean {
  const name = basename(program)
  return runners.test(name) || (name === 'git' && (rest.includes('apply') || rest.includes('am')))
}

/** `… | python3`, `… | python3 -`: what another command of the line says may be its code. */
function readsCodeFromInput({ words, input }: FoundCommand): boolean {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  return runners.test(basename(program)) && input === undefined && rest.every((word) => word === '-')
}

/** Texts in quotes, some of them in a row, and what stands between blanks and brackets. */
export function pathsIn(code: string): readonly string[] {
  const literals = literalsIn(code)
  const bare = code.split(/(?:[\s"'`()[\]{},;=<>|&+]|\\[0nt])+/u)
  const all = [...literals, ...joinLiterals(literals), ...bare]
    .map((text) => text.replace(/^[<>+|\s]+/u, ''))
    .filter((text) => text !== '')
  return [...all, ...all.map((text) => text.replace(/^[ab]\//u, ''))]
}
