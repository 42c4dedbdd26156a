import { basename, dirname, relative, resolve } from 'node:path'
import { isOwnPlace } from '@donecheck/agents/internal/session'
import {
  commandWords,
  type Decomposition,
  type FoundCommand,
  onlyReads,
  prints,
  runsScript,
  textsOf,
  textsWrittenAndRun,
  writtenPlaces,
} from '@donecheck/engine/internal/analysis/shell'

export interface ProtectedPlaces {
  readonly workFolder: string
  readonly homeFolder: string
  readonly ownPlaces: readonly string[]
}

/** Programs that run or apply a text they are given. */
const runners =
  /^(?:i?python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|tclsh|osascript|fish|g?make|Rscript|pwsh|[gmn]?awk|sqlite3|sed|ed|ex|vim?|nvim|emacs|patch|apply_?patch)$/u
/** Programs that only show or copy their input. */
const readers =
  /^(?:bat|tree|code|cursor|open|xdg-open|shasum|jq|yq|gh|mkdir|export|declare|local|readonly|alias|awk|gawk|tar|zip|echo)$/u
const readsOfGit =
  /^(?:add|stage|commit|push|tag|notes|hash-object|check-ignore|ls-files|diff|log|show|blame|status|archive|grep)$/u

/** Code that only opens a file for reading. */
const readingCode =
  /\b(?:open|readFileSync|readFile|require|read|exists|existsSync|getsize|listdir)\(\s*(["'])[^"'\n]*\1\s*(?:,\s*(?:encoding\s*=\s*)?["'](?:r[bt]?|utf-?8)["']\s*)*\)|\bPath\(\s*(["'])[^"'\n]*\2\s*\)\s*\.read_\w+\(/gu
const writingCode =
  /writ|unlink|\brm|remov|delet|renam|mov|replac|trunc|chmod|chdir|copy|link|cp|put|dump|touch|retrieve|extract|unpack|["'](?:[wax]b?\+?|r\+)["']|["'(]\s*\+?>|print[^;}\n]*>|system|exec|spawn|popen|run|`/iu
/** Programs that may write anything they are given. */
const editors = /^(?:sed|ed|ex|vim?|nvim|emacs|sqlite3|patch|apply_?patch|git)$/u

export function findNamedPlace(
  script: string,
  line: Decomposition,
  places: ProtectedPlaces,
): string | undefined {
  const folders = foldersOf(line.commands, places)
  const word = line.commands.flatMap(wordsGiven).find((one) => namesPlace(one, folders, places))
  if (word !== undefined) return word
  const written = textsWrittenAndRun(line, (found) => runsScript(found) || isRunner(found))
  const piped = line.commands.some(readsCode) ? line.commands.filter(prints).flatMap(textsOf) : []
  const code = [...line.commands.flatMap(codeOf), ...written, ...piped].find((one) =>
    mentionsPlace(one, folders, places),
  )
  if (code !== undefined || !changesUnknown(line)) return code
  const unknown = line.commands.flatMap(({ words }) =>
    words.flatMap(({ text, written }) => (text === null ? [written] : [])),
  )
  const found = line.commands.find((one) => findsPlace(one, folders, places))
  return (
    [...unknown, ...tokensOf(script)].find((token) => namesPlace(token, folders, places)) ??
    found?.words[0]?.written
  )
}

/** Whether `find` would reach one of our files, such as `find . -name '*.json'`. */
function findsPlace(
  { words }: FoundCommand,
  folders: readonly string[],
  { ownPlaces }: ProtectedPlaces,
): boolean {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  if (basename(program) !== 'find') return false
  const end = rest.findIndex((word) => /^[-(!]/u.test(word))
  const starts = rest.slice(0, end < 0 ? rest.length : end)
  const names = rest.filter((_, index) => /^-i?name$/u.test(rest[index - 1] ?? ''))
  const isOpen =
    names.length === 0 ||
    rest.some((word) => /^(?:!|-not|,)$/u.test(word)) ||
    / -o -(?!i?name)/u.test(rest.join(' '))
  const isMeant = (place: string) => isOpen || names.some((name) => globPattern(name).test(basename(place)))
  return folders.some((folder) =>
    (starts.length === 0 ? ['.'] : starts).some((start) =>
      ownPlaces.some((place) => place.startsWith(`${resolve(folder, start)}/`) && isMeant(place)),
    ),
  )
}

/** Whether the line changes a file whose name is known only at run time. */
function changesUnknown({ commands, writes }: Decomposition): boolean {
  return (
    writes.some(({ path }) => path === null) ||
    commands.some((found) => {
      const texts = found.words.map(({ text, written }) => text ?? written)
      const isOpen =
        found.words.some(({ text }) => text === null) ||
        found.through.some((one) => /^(?:xargs|find|fd)/u.test(one))
      const isDeleting = texts[0] === 'find' && texts.includes('-delete')
      const readsNames =
        isRunner(found) &&
        texts.some(
          (text) => /environ|getenv|\bENV\b|process\.env|argv|stdin/iu.test(text) && writingCode.test(text),
        )
      return (
        isDeleting ||
        readsNames ||
        (isOpen &&
          !onlyReads(found) &&
          !readers.test(basename(texts[0] ?? '')) &&
          !(texts[0] === 'git' && readsOfGit.test(texts[1] ?? '')))
      )
    })
  )
}

function foldersOf(
  commands: readonly FoundCommand[],
  { workFolder, homeFolder }: ProtectedPlaces,
): readonly string[] {
  const all = [workFolder]
  for (const { words } of commands) {
    const texts = words.map(({ text, written }) => text ?? written)
    const named = texts.filter((_, index) =>
      /^(?:-C|--chdir|--directory|cd|pushd)$/u.test(texts[index - 1] ?? ''),
    )
    all.push(...named.map((folder) => resolve(all.at(-1) ?? '', withHome(folder, homeFolder))))
  }
  return all
}

function withHome(word: string, homeFolder: string): string {
  return word
    .replaceAll(/["'\\]/gu, '')
    .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homeFolder)
    .replace(/^(?:~\+|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|\/proc\/self\/cwd)(?=\/|$)/u, '.')
}

/** Arguments that the program may write to. Path rules cover programs known to write. */
function wordsGiven(found: FoundCommand): readonly string[] {
  const { program, operands } = commandWords(found)
  const rest = found.words.slice(1).map(({ text, written }) => text ?? written)
  const isReading =
    found.isTransparent ||
    onlyReads(found) ||
    readers.test(program ?? '') ||
    /^(?:sudo|doas|xargs)$/u.test(program ?? '')
  const isInPlace = rest.some((word) => /^(?:-[a-z]*i|--in-?place|inplace)/u.test(word))
  if (isReading && !isInPlace) return []
  if (rest.some((word) => /^--(?:check|list-different|dry-run|help)$/u.test(word))) return []
  if (program === 'git' && readsOfGit.test(operands[0]?.text ?? '')) return []
  if (isRunner(found))
    return !editors.test(program ?? '') && isReadingRunner(rest)
      ? []
      : rest.filter((word) => !/[\s'"()]/u.test(word)).flatMap(partsOf)
  return (writtenPlaces(found) === undefined || /^(?:ln|mv|git)$/u.test(program ?? '') ? rest : []).flatMap(
    partsOf,
  )
}

/** Such as `perl -ne 'print' FILE` or `python3 -m json.tool FILE`. */
function isReadingRunner(words: readonly string[]): boolean {
  if (words.includes('json.tool')) return words.filter((word) => !word.startsWith('-')).length === 2
  if (words.some((word) => /^-(?:\w*i|m$)/u.test(word))) return false
  const at = words.findIndex((word) => /^(?:-[a-z]*[cenpr]|--eval|--print)$/u.test(word))
  return at !== -1 && !writingCode.test((words[at + 1] ?? '').replaceAll(readingCode, ' '))
}

/** The word, the value of an option, and parts between colons or commas. */
function partsOf(word: string): readonly string[] {
  const attached = /^(?:-{1,2}[\w-]+=|-\w|[\w-]+=|@)(?<path>.+)$/su.exec(word)?.groups?.['path']
  return [
    word,
    ...(attached === undefined ? [] : [attached]),
    ...(/[:,]/u.test(word) ? word.split(/[:,=]/u) : []),
  ]
}

/** Whether the path is one of ours, inside one, or a folder that contains one. */
function namesPlace(word: string, folders: readonly string[], places: ProtectedPlaces): boolean {
  const { ownPlaces, workFolder, homeFolder } = places
  const path = withHome(word, homeFolder)
  const tail = /[$`].*?(?<tail>\/[^$`]*)$/su.exec(path)?.groups?.['tail']
  if (tail !== undefined) return ownPlaces.some((place) => place.endsWith(tail.replace(/\/+$/u, '')))
  const holders = ownPlaces
    .map((place) => dirname(place))
    .filter((one) => one !== workFolder && one !== homeFolder)
  return folders.some((folder) => {
    const full = resolve(folder, path)
    if (/[*?[]/u.test(full)) return [...ownPlaces, ...holders].some((place) => globPattern(full).test(place))
    return isOwnPlace(full, ownPlaces) || holders.includes(full)
  })
}

/** `*` and `?` match no `/` and no leading dot; `**` matches folders. */
function globPattern(path: string): RegExp {
  const parts = path.split(/(\*\*\/?|\[[^\]]*\]|[*?[])/u).map((part, index, all) => {
    if (index % 2 === 0) return part.replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    if (part.startsWith('**')) return '(?:.*/)?'
    const isFirst = /(?:^|\/)$/u.test(all[index - 1] ?? '')
    return `${isFirst ? '(?!\\.)' : ''}${part === '*' ? '[^/]*' : '[^/]'}`
  })
  return new RegExp(`^${parts.join('')}$`, 'u')
}

function isRunner({ words }: FoundCommand): boolean {
  const name = basename(words[0]?.text ?? '')
  return runners.test(name) || (name === 'git' && words.some(({ text }) => text === 'apply' || text === 'am'))
}

/** Code that it runs, without expressions that only read. */
function codeOf(found: FoundCommand): readonly string[] {
  if (!isRunner(found) || onlyReads(found)) return []
  const texts = found.words.slice(1).map(({ text, written }) => text ?? written)
  const isEditor = editors.test(basename(found.words[0]?.text ?? ''))
  return [...texts.filter((text) => /[\s'"`()<>;|]/u.test(text)), found.input ?? '']
    .map((text) => text.replaceAll(readingCode, ' '))
    .filter((text) => isEditor || writingCode.test(text))
}

function readsCode(found: FoundCommand): boolean {
  return (
    isRunner(found) && found.input === undefined && found.words.slice(1).every(({ text }) => text === '-')
  )
}

function tokensOf(text: string): readonly string[] {
  const tokens = text.split(/(?:[\s"'`()[\]{},;=<>|&+]|\\[0nt])+/u).filter((token) => token !== '')
  return tokens.flatMap((token) => [token, token.replace(/^[ab]\//u, '')])
}

/** Whether code names one of our paths, as a whole or in parts. */
function mentionsPlace(code: string, folders: readonly string[], places: ProtectedPlaces): boolean {
  const { ownPlaces, workFolder, homeFolder } = places
  if (tokensOf(code).some((token) => namesPlace(token, folders, places))) return true
  const bare = code.replaceAll(/[^\w.-]/gu, '')
  const ways = ownPlaces.flatMap((place) =>
    [workFolder, homeFolder].map((folder) => relative(folder, place).split('/')),
  )
  return ways.some(
    (parts) =>
      parts[0] !== '..' &&
      parts.length > 1 &&
      (parts.every((part) => code.includes(part)) || bare.includes(parts.join(''))),
  )
}
