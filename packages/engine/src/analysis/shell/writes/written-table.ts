/** Where programs write by their own arguments: the one list of it. */

/** What the operands of a program are to it. */
export type OperandUse =
  /** Nothing that is written. */
  | 'none'
  | 'each-written'
  | 'first-written'
  /** All but the first, which is a script, unless an option brings that. */
  | 'edited'
  /** The last is where the others are laid. */
  | 'copied'
  | 'moved'
  | 'removed'
  /** The last is a folder that is filled. */
  | 'last-filled'
  /** The folder where it runs is filled, if no option names another. */
  | 'here-filled'
  /** A file where it runs gets the name at the end of an address, if no option names another. */
  | 'downloaded'

export interface WritingRow {
  /** Programs, with their subcommand behind a blank. */
  readonly of: string
  readonly operands: OperandUse
  /** Options whose value is a file that is written, without dashes; one with `=` stands without any. */
  readonly files: string
  /** Options whose value is a folder, and whatever is in it may be written. */
  readonly folders: string
  /** Only where one of its options, or its first word, is such. */
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

export const writingRows: readonly WritingRow[] = [
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
  row('make|gmake', 'none', '', 'C directory DESTDIR= PREFIX= prefix='),
  row('gh release|gh run', 'none', 'O output', 'D dir'),
]

/** Of all other programs, unless they are known to only read. */
export const anyOther = row(
  '',
  'none',
  'o output out outfile outFile out-file output-file output-document',
  'outdir outDir out-dir output-dir output-directory output-path dest destination target-dir install-dir',
)
