import {
  commandWords,
  type CommandWords,
  type Decomposition,
  type FoundCommand,
  type FoundWord,
  hasOption,
  type Operand,
  type Span,
  subcommand,
} from './decomposition.ts'
import { onlyReads } from './harmless.ts'
import { isShell } from './programs/shells.ts'
import { programName } from './decomposition.ts'

export interface WrittenPlace {
  /** Null if only known at run time. */
  readonly path: string | null
  readonly written: string
  readonly span: Span
  /** `folder`: anything in it may be written. `removed`: deleted or moved away, with everything below. */
  readonly kind: 'file' | 'folder' | 'removed'
}

/** @returns undefined if the program is unknown */
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

/** Uses common option names such as `--output` for an unknown program. */
export function filesWrittenBy(found: FoundCommand): readonly WrittenPlace[] {
  return writtenPlaces(found) ?? placesOf(commandWords(found), { row: anyOther, subcommand: [] })
}

/** Whether the program takes files and names and starts nothing. */
export function takesData(found: FoundCommand): boolean {
  const program = programName(found.words[0]?.text ?? '')
  return byProgram().has(program) || runsTexts.test(program)
}

/** Programs whose arguments are code, files or settings. */
const runsTexts =
  /^(?:node|nodejs|deno|bun|python[\d.]*|pypy[\d.]*|perl|ruby|php|lua|awk|gawk|chmod|chown|mkdir|kill|export|alias|trap|eval)$/u

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

/** Prefers a folder option over the last operand. */
function targetOf({ operands }: CommandWords, folders: readonly Value[]): Value | undefined {
  return folders[0] ?? operands.at(-1)
}

function sourcesOf(command: CommandWords, folders: readonly Value[]): readonly Operand[] {
  const target = targetOf(command, folders)
  return command.operands.filter(({ word }) => word !== target?.word)
}

/** A file keeps its name in the target; a folder's content keeps all its names. */
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
    ...(open.length === 0 ? [] : [at(target.word, target.text, 'folder')]),
  ]
}

const withRemotes = /^(?:rsync|scp|sftp|docker|podman|kubectl|gsutil|aws)$/u
const isRemote = /^[\w.@-]+:/u

/** Whether the folder's content is copied instead of the folder. */
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

/** Reads option values: `-P x`, `-qPx`, `--prefix=x`, `--pre x`, `-out x`, `of=x`. */
function valuesOf({ program, words }: CommandWords, names: string): readonly Value[] {
  if (names === '') return []
  const all = names.split(' ')
  return words.flatMap((word, index): readonly Value[] => {
    const bare = word.text ?? word.written.replaceAll(/["']/gu, '')
    // `tar xCf DIR FILE`.
    const isGroup = index === 1 && program?.endsWith('tar') === true && /^[a-zA-Z]+$/u.test(bare)
    const seen = isGroup ? `-${bare}` : bare
    const [, option = '', value] = /^([^=]*)(?:=(.*))?$/su.exec(seen) ?? []
    const own = (text: string): readonly Value[] => [
      { word: { ...word, written: text }, text: word.text === null ? null : text },
    ]
    const next = words.slice(index + 1, index + 2).map((one) => ({ word: one, text: one.text }))
    if (index === 0) return []
    if (value !== undefined && all.includes(`${option}=`)) return own(value)
    if (!/^-./u.test(seen)) return []
    const isShortened = (name: string) => option.length > 3 && `--${name}`.startsWith(option)
    if (all.some((name) => name.length > 1 && (option === `-${name}` || isShortened(name))))
      return value === undefined ? next : own(value)
    const at = Array.from(seen.slice(1)).findIndex((letter) => all.includes(letter))
    if (seen.startsWith('--') || at === -1 || (at > 0 && names === anyOther.files)) return []
    const rest = seen.slice(at + 2).replace(/^=/u, '')
    if (rest === '') return next
    // `-xCf`: a group of letters, or an abbreviated name. Which letters take a value is unknown.
    return /^[a-zA-Z]{1,3}$/u.test(rest) ? [...own(rest), ...next] : own(rest)
  })
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

type OperandUse =
  | 'none'
  | 'each-written'
  | 'first-written'
  /** All but the first, which is the script unless an option gives it. */
  | 'edited'
  /** The last is the destination of the others. */
  | 'copied'
  | 'moved'
  | 'removed'
  /** The last is a folder that is filled. */
  | 'last-filled'
  /** Fills the current folder, unless an option gives another. */
  | 'here-filled'
  /** Writes the URL's last part into the current folder, unless an option gives a file. */
  | 'downloaded'

interface WritingRow {
  readonly of: string
  readonly operands: OperandUse
  /** Options, without dashes, whose value is a written file; one with `=` has no dash. */
  readonly files: string
  /** Options whose value is a folder that may be written anywhere. */
  readonly folders: string
  /** Applies only if an option or the first word matches. */
  readonly when?: RegExp
}

function row(of: string, operands: OperandUse, files = '', folders = '', when?: RegExp): WritingRow {
  return { of, operands, files, folders, ...(when === undefined ? {} : { when }) }
}

const intoFolder = 't target-directory'
const inPlace = /^(?:-[a-zA-Z]*i|--in-?place)/u
const unpacking = /^(?:-?[a-zA-Z]*x[a-zA-Z]*|--extract|--get)$/u
const packing = /^(?:-?[a-zA-Z]*[cruA][a-zA-Z]*|--create|--append|--update)$/u
const byName = /^(?:-[a-zA-Z]*O|--remote-name)/u
const deep = /^(?:-[a-zA-Z]*[rm]|--recursive|--mirror)/u

const writingRows: readonly WritingRow[] = [
  row('tee|sponge|touch|truncate|fallocate|mkfifo|mknod', 'each-written'),
  row('rm|rmdir|unlink|shred|trash|trash-put|git rm|git mv', 'removed'),
  row('cp|ln|install|ditto', 'copied', '', intoFolder),
  row('mv', 'moved', '', intoFolder),
  row('rsync', 'copied', 'log-file', 'T temp-dir backup-dir partial-dir'),
  row('rsync', 'moved', '', '', /^--remove-s/u),
  row('scp|sftp|docker cp|podman cp|kubectl cp|gsutil cp|aws s3', 'copied'),
  row('dd', 'none', 'of='),
  row('sed|perl|ruby', 'edited', '', '', inPlace),
  row('find', 'none', 'fprint fprint0 fprintf fls'),
  row('curl', 'none', 'o output D dump-header c cookie-jar trace trace-ascii stderr', 'output-dir'),
  row('curl', 'downloaded', '', 'output-dir', byName),
  row('wget', 'downloaded', 'O output-document o output-file a append-output', 'P directory-prefix'),
  row('wget', 'here-filled', '', 'P directory-prefix', deep),
  row('aria2c', 'here-filled', 'o out', 'd dir'),
  row('tar|gtar|bsdtar', 'here-filled', '', 'C directory cd one-top-level', unpacking),
  row('tar|gtar|bsdtar', 'none', 'f file', '', packing),
  row('unzip', 'here-filled', '', 'd'),
  row('7z|7za|7zr', 'here-filled', '', 'o', /^[ex]$/u),
  row('cpio', 'here-filled', '', 'D directory', /^(?:-[a-zA-Z]*i|--extract)/u),
  row('unrar', 'last-filled'),
  row('zip', 'first-written'),
  row('jar', 'here-filled', '', 'C dir', unpacking),
  row('patch', 'here-filled', 'o output r reject-file', 'd directory'),
  row('patch', 'first-written'),
  row('git apply|git am', 'here-filled', '', 'directory'),
  row('git clone|git submodule add', 'last-filled', '', 'separate-git-dir'),
  row('git archive|git diff|git log|git show|git bundle', 'none', 'o output'),
  row('git format-patch', 'none', '', 'o output-directory'),
  row('git checkout-index', 'none', '', 'prefix'),
  row('pip|pip3', 'none', '', 't target prefix root d dest src'),
  row('npm|pnpm|yarn', 'none', '', 'prefix pack-destination modules-folder'),
  row('npm pkg set|npm set-script', 'here-filled'),
  row('make|gmake', 'none', '', 'C directory DESTDIR= PREFIX= prefix='),
  row('gh release|gh run', 'none', 'O output', 'D dir'),
]

const anyOther = row(
  '',
  'none',
  'o output out outfile outFile out-file output-file output-document',
  'outdir outDir out-dir output-dir output-directory output-path dest destination target-dir install-dir',
)

/** Whether it runs a file: a shell with a script, or a program by path. */
export function runsScript({ words }: FoundCommand): boolean {
  const program = words[0]?.text ?? ''
  return program.includes('/') || program === '.' || program === 'source' || isShell(programName(program))
}

/** Returns texts that the line may write and then run. Compares last names: the folder may change. */
export function textsWrittenAndRun(
  { commands, writes, reads = [] }: Decomposition,
  runs: (found: FoundCommand) => boolean = runsScript,
): readonly string[] {
  const running = commands.filter(runs)
  if (running.length === 0) return []
  const run = [...running.flatMap(filesOf), ...reads.flatMap(({ path }) => path ?? [])].map(nameOf)
  const places = commands.flatMap((found) => writtenPlaces(found) ?? [])
  const written = new Set(
    [...writes, ...places.filter(({ kind }) => kind === 'file')].flatMap(({ path }) =>
      path === null ? [] : [nameOf(path)],
    ),
  )
  if (!run.some((name) => written.has(name))) return []
  const texts = commands.filter(prints).flatMap(textsOf)
  return texts.length > maxTexts ? [texts.join('\n')] : texts
}

/** Above this number, texts are joined to save time. */
const maxTexts = 16

/** Prints or writes its input. */
export function prints({ words }: FoundCommand): boolean {
  return /^(?:echo|printf|cat|tee)$/u.test(programName(words[0]?.text ?? ''))
}

export function textsOf({ words, input }: FoundCommand): readonly string[] {
  const [, ...texts] = words.map(({ text, written }) => (text ?? written).replaceAll('\\n', '\n'))
  return [texts.join(' '), ...(input === undefined ? [] : [input])]
}

function filesOf({ words }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const makefiles = /^g?make$/u.test(programName(program)) ? ['GNUmakefile', 'makefile', 'Makefile'] : []
  const operands = rest.filter((word) => word !== '' && !/^-|[\s;()]/u.test(word))
  return [...(program.includes('/') ? [program] : []), ...operands, ...makefiles]
}

/** `./a/x.py` becomes `x`: some runners find their file without its extension. */
function nameOf(path: string): string {
  return path.replace(/^.*\//su, '').replace(/(?<=.)\.[cm]?[jt]sx?$/u, '')
}
