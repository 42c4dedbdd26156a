/** Where a command writes by its own arguments, as far as its words say. */
import { commandWords, hasOption, subcommand, type CommandWords, type Operand } from '../command-words.ts'
import type { FoundCommand, FoundWord, Span } from '../decomposition.ts'
import { onlyReads } from '../harmless/only-reads.ts'
import { anyOther, writingRows, type WritingRow } from './written-table.ts'

export interface WrittenPlace {
  /** Null: only known when it runs. */
  readonly path: string | null
  readonly written: string
  readonly span: Span
  /** `folder`: whatever is in it may be written. `removed`: a name goes, with all that is below it. */
  readonly kind: 'file' | 'folder' | 'removed'
  /** The folders whose content is laid there, as they are written; absent: nobody can look at what comes. */
  readonly from?: readonly FoundWord[]
}

/** Undefined: nothing is known of the program but what the options of most programs mean. */
export function writtenPlaces(found: FoundCommand): readonly WrittenPlace[] | undefined {
  if (onlyReads(found)) return []
  const command = commandWords(found)
  const rows = byProgram().get(command.program ?? '') ?? []
  const fitting = rows.flatMap((row) => {
    const own = argumentsOf(command, row)
    return own === undefined ? [] : [placesOf(own, row)]
  })
  return fitting.length === 0 && rows.every(({ row }) => row.when === undefined) ? undefined : fitting.flat()
}

/** Where a program of which nothing is known writes by what options of that name mean most often. */
export function usuallyWrittenPlaces(found: FoundCommand): readonly WrittenPlace[] {
  return placesOf(commandWords(found), { row: anyOther, subcommand: [] })
}

interface ReadRow {
  readonly row: WritingRow
  readonly subcommand: readonly string[]
}

let known: ReadonlyMap<string, readonly ReadRow[]> | undefined

function byProgram(): ReadonlyMap<string, readonly ReadRow[]> {
  known ??= Map.groupBy(
    writingRows.flatMap((row) =>
      row.of.split('|').map((name) => {
        const [program = '', ...words] = name.split(' ')
        return { program, row, subcommand: words }
      }),
    ),
    ({ program }) => program,
  )
  return known
}

function argumentsOf(command: CommandWords, { row, subcommand: names }: ReadRow): CommandWords | undefined {
  const own = names.length === 0 ? command : subcommand(command, names)?.rest
  const { when } = row
  if (own === undefined || when === undefined) return own
  const isSuch = own.words.some(
    ({ text }, index) => text !== null && (index === 1 || text.startsWith('-')) && when.test(text),
  )
  return isSuch ? own : undefined
}

function placesOf(command: CommandWords, { row }: ReadRow): readonly WrittenPlace[] {
  const folders = valuesOf(command, row.folders)
  return [
    ...valuesOf(command, row.files).map(({ word, text }) => at(word, text, 'file')),
    ...(row.operands === 'copied' || row.operands === 'moved'
      ? []
      : folders.map(({ word, text }) => at(word, text, 'folder'))),
    ...ofOperands(command, row, folders),
  ]
}

function ofOperands(
  command: CommandWords,
  { operands: use }: WritingRow,
  folders: readonly Value[],
): readonly WrittenPlace[] {
  const { operands } = command
  const isHere = folders.length === 0
  switch (use) {
    case 'none':
      return []
    case 'each-written':
      return operands.map(fileOf)
    case 'first-written':
      return operands.slice(0, 1).map(fileOf)
    case 'edited':
      return operands.slice(hasOption(command, '-e', '-f', '--expression', '--file') ? 0 : 1).map(fileOf)
    case 'removed':
      return operands.map(removed)
    case 'copied':
      return copied(command, folders)
    case 'moved':
      return [...copied(command, folders), ...sourcesOf(command, folders).map(removed)]
    case 'last-filled':
      return operands
        .slice(1)
        .slice(-1)
        .map(({ word, text }) => at(word, text, 'folder'))
    case 'here-filled':
      return isHere ? [{ path: '.', written: '.', span: null, kind: 'folder' }] : []
    case 'downloaded':
      return isHere ? operands.map(downloaded) : []
    default:
      return use satisfies never
  }
}

function downloaded({ text, word }: Operand): WrittenPlace {
  const name = text?.replace(/[?#].*$/su, '').replace(/^.*\//su, '')
  return at(word, name === '' ? 'index.html' : (name ?? null), 'file')
}

/** A folder that an option names goes before the last operand. */
function targetOf({ operands }: CommandWords, folders: readonly Value[]): Value | undefined {
  return folders[0] ?? operands.at(-1)
}

function sourcesOf(command: CommandWords, folders: readonly Value[]): readonly Operand[] {
  const target = targetOf(command, folders)
  return command.operands.filter(({ word }) => word !== target?.word)
}

/** Into a folder a file has the name that it had; what is in a folder is laid there with all its names. */
function copied(command: CommandWords, folders: readonly Value[]): readonly WrittenPlace[] {
  const target = targetOf(command, folders)
  if (target === undefined) return []
  const { program } = command
  const sources = sourcesOf(command, folders)
  if (withRemotes.test(program ?? '') && isRemote.test(target.text ?? '')) return []
  const isWhole = hasOption(command, '-T', '--no-target-directory')
  const isDeep =
    !/^(?:cp|install)$/u.test(program ?? '') ||
    hasOption(command, '-r', '-R', '-a', '--recursive', '--archive')
  const open = sources.filter(
    ({ text }) => text === null || isWhole || (isDeep && laysContent(text, program)),
  )
  const named = sources.filter((source) => !open.includes(source))
  return [
    at(target.word, target.text, 'file'),
    ...named.map((source) => ({ ...inFolder(target, source), kind: isDeep ? 'folder' : 'file' }) as const),
    ...(open.length === 0
      ? []
      : [{ ...at(target.word, target.text, 'folder'), from: open.map(({ word }) => word) }]),
  ]
}

const withRemotes = /^(?:rsync|scp|sftp|docker|podman|kubectl|gsutil|aws)$/u
const isRemote = /^[\w.@-]+:/u

/** Not the folder with its name comes there, but what is in it. */
function laysContent(text: string, program: string | null): boolean {
  if (/^(?:aws|ditto)$/u.test(program ?? '') || (program === 'rsync' && text.endsWith('/'))) return true
  return /(?:^|\/)\.{1,2}\/*$|[*?[]|^[\w.@-]+:/u.test(text)
}

function inFolder({ word, text: folder }: Value, { text }: Operand): WrittenPlace {
  if (folder === null || text === null) return at(word, folder, 'folder')
  const name = text.replace(/\/+$/u, '').replace(/^.*\//su, '')
  return at(word, `${folder.replace(/\/+$/u, '')}/${name}`, 'file')
}

interface Value {
  readonly word: FoundWord
  readonly text: string | null
}

/** In the word behind an option, or in its own: `-P x`, `-qPx`, `--prefix=x`, `--pre x`, `-out x`, `of=x`. */
function valuesOf({ program, words }: CommandWords, names: string): readonly Value[] {
  if (names === '') return []
  const all = names.split(' ')
  const isTar = program?.endsWith('tar') === true
  return words.flatMap((word, index): readonly Value[] => {
    const bare = word.text ?? word.written.replaceAll(/["']/gu, '')
    // `tar xCf DIR FILE`.
    const seen = index === 1 && isTar && /^[a-zA-Z]+$/u.test(bare) ? `-${bare}` : bare
    const next = words[index + 1]
    const behind = next === undefined ? [] : [{ word: next, text: next.text }]
    const own = (value: string): readonly Value[] => [
      { word: { ...word, written: value }, text: word.text === null ? null : value },
    ]
    if (index === 0) return []
    const [option = '', value] = [seen.split('=', 1)[0], /=(?<value>.*)$/su.exec(seen)?.groups?.['value']]
    if (all.includes(`${option}=`) && value !== undefined) return own(value)
    if (!seen.startsWith('-') || seen === '-') return []
    const long = option.replace(/^--?/u, '')
    const isLong = all.some(
      (name) =>
        name.length > 1 &&
        (option === `-${name}` || (long.length > 1 && option.startsWith('--') && name.startsWith(long))),
    )
    if (isLong) return value === undefined ? behind : own(value)
    return seen.startsWith('--') ? [] : shortValues(seen, all, behind, own, names !== anyOther.files)
  })
}

/** What other letters of the group take for themselves is not known, and so one of them too many may be read here. */
function shortValues(
  seen: string,
  names: readonly string[],
  behind: readonly Value[],
  own: (value: string) => readonly Value[],
  isGroup: boolean,
): readonly Value[] {
  const at = Array.from(seen.slice(1)).findIndex((letter) => names.includes(letter))
  if (at === -1 || (at > 0 && !isGroup)) return []
  const rest = seen.slice(at + 2).replace(/^=/u, '')
  if (rest === '') return behind
  // `-xCf`: a letter, or the beginning of a name.
  return /^[a-zA-Z]{1,3}$/u.test(rest) ? [...own(rest), ...behind] : own(rest)
}

function at(word: FoundWord, text: string | null, kind: WrittenPlace['kind']): WrittenPlace {
  return { path: text, written: text ?? word.written, span: word.span, kind }
}

function fileOf({ text, written, word }: Operand): WrittenPlace {
  return { path: text, written, span: word.span, kind: 'file' }
}

function removed(operand: Operand): WrittenPlace {
  return { ...fileOf(operand), kind: 'removed' }
}
