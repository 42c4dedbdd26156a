import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'

export interface DiffPaths {
  readonly oldPath: string
  readonly newPath: string
}

/** A file of a unified diff as it was written. */
export interface UnifiedFile {
  /** How the names may be meant: as they are, or without a prefix. Never empty. */
  readonly paths: readonly [DiffPaths, ...DiffPaths[]]
  readonly change: 'created' | 'changed' | 'deleted'
  /** Whether it may be run, if the diff says so. */
  readonly isExecutable?: boolean
  readonly hunks: readonly StructuredPatchHunk[]
}

export type ParsedDiff =
  | { readonly kind: 'diff'; readonly files: readonly UnifiedFile[] }
  | { readonly kind: 'invalid'; readonly message: string }

/** What is wrong with a diff. Never leaves this file but as a value. */
class DiffFault extends Error {}

/**
 * Reads a unified diff, with or without the headers of git. Text above the first file is taken for a letter, and nothing that
 * could be part of a change is passed over.
 */
export function parseUnifiedDiff(text: string): ParsedDiff {
  try {
    const diff = prepareText(text)
    if (/^GIT binary patch\r?$/m.test(diff)) throw new DiffFault('binary content is not supported')
    const files = parsePatch(diff)
    assertAllRead(diff, files)
    const gitLines = [...diff.matchAll(/^diff --git ([^\n]+)/gm)].map(([, names = '']) => names)
    return {
      kind: 'diff',
      files: files.map((file) => toUnifiedFile(file, file.isGit === true ? gitLines.shift() : undefined)),
    }
  } catch (error) {
    // The reader throws plain errors for what is no diff.
    return { kind: 'invalid', message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * From the first file on, without the signature of a mail. If the headers end in carriage returns, these come from the way here
 * and not from the files. The names of a rename are those of its own headers, which have no prefix.
 */
function prepareText(text: string): string {
  const header = /^(?:\+\+\+ |diff --git )[^\n]*/m.exec(text)?.[0] ?? ''
  const diff = header.endsWith('\r') ? text.replaceAll(/\r(?=\n|$)/g, '') : text
  const start = diff.search(/^(?:diff --git |--- [^\n]*\n\+\+\+ )/m)
  if (start === -1)
    throw new DiffFault('no file is named: a diff begins with diff --git, or with --- and +++')
  return diff
    .slice(start)
    .replace(/^-- \n\d+\.\d[^\n]*\n*$(?![^])/m, '')
    .replace(
      /(^rename from [^\n]+\nrename to [^\n]+\n(?:index [^\n]+\n)?)--- [^\n]+\n\+\+\+ [^\n]+\n/gm,
      '$1',
    )
}

/**
 * The reader passes over lines that it does not know, and takes a count of one for none: no hunk may be cut off, and none of its
 * lines may be left out.
 */
function assertAllRead(diff: string, files: readonly StructuredPatch[]): void {
  const hunks = files.flatMap((file) => file.hunks)
  const headers = [...diff.matchAll(/^@@(?: -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@)?/gm)]
  for (const [index, [header, oldCount = '1', newCount = '1']] of headers.entries()) {
    const hunk = hunks[index]
    if (header === '@@' || hunk === undefined) throw new DiffFault('the header of a hunk cannot be read')
    if (hunk.oldLines !== Number(oldCount) || hunk.newLines !== Number(newCount))
      throw new DiffFault(`a hunk has fewer lines than its header says: ${header}`)
  }
  const count = (lines: readonly string[]) => lines.filter((line) => /^[-+\\]/.test(line)).length
  const named = files.filter(({ oldHeader }) => oldHeader !== undefined).length * 2
  if (count(diff.split('\n')) !== named + count(hunks.flatMap(({ lines }) => lines)))
    throw new DiffFault('a hunk has more lines than its header says')
}

function toUnifiedFile(file: StructuredPatch, gitLine: string | undefined): UnifiedFile {
  const { hunks, oldMode, newMode } = file
  if (file.isCopy === true) throw new DiffFault('copies are not supported: add the file with its content')
  if (file.isBinary === true) throw new DiffFault('binary content is not supported')
  const mode = newMode ?? oldMode
  const wrongMode = [oldMode, newMode].find(
    (written) => written !== undefined && !/^100[0-7]{3}$/.test(written),
  )
  if (wrongMode !== undefined) throw new DiffFault(`mode ${wrongMode} is not that of a regular file`)
  const isCreated = file.isCreate === true || isAbsent(file.oldFileName, file.oldHeader)
  const isDeleted = file.isDelete === true || isAbsent(file.newFileName, file.newHeader)
  if (isCreated && isDeleted) throw new DiffFault('the names of the file cannot be read')
  if (hunks.length === 0 && !isCreated && !isDeleted && file.isRename !== true && newMode === undefined)
    throw new DiffFault('the file has neither hunks nor any other change')
  return {
    paths: file.isRename === true ? [renameOf(file)] : pathsOf(...namesOf(file, gitLine)),
    change: isCreated ? 'created' : isDeleted ? 'deleted' : 'changed',
    hunks,
    ...(mode === undefined || newMode === undefined
      ? {}
      : { isExecutable: (Number.parseInt(mode, 8) & 0o100) !== 0 }),
  }
}

/** `diff -N` gives a file that is not there the first moment that computers know. */
function isAbsent(name: string | undefined, time = ''): boolean {
  return name === '/dev/null' || Date.parse(time.replace(/(\.\d{3})\d+/, '$1')) === 0
}

/** The reader puts `a/` and `b/` before them. */
function renameOf({ oldFileName = '', newFileName = '' }: StructuredPatch): DiffPaths {
  return { oldPath: oldFileName.slice(2), newPath: newFileName.slice(2) }
}

function namesOf(
  { oldFileName, newFileName }: StructuredPatch,
  gitLine: string | undefined,
): readonly [old: string, fresh: string] {
  const isNull = oldFileName === '/dev/null' || newFileName === '/dev/null'
  if (oldFileName !== undefined && newFileName !== undefined && !isNull) return [oldFileName, newFileName]
  const cut = gitLine === undefined ? undefined : cutNames(gitLine)
  if (cut !== undefined) return cut
  const name = oldFileName === '/dev/null' ? newFileName : oldFileName
  const below = name === undefined ? undefined : /^[abciow]\/(.+)$/s.exec(name)?.[1]
  return below === undefined ? [name ?? '', name ?? ''] : [`a/${below}`, `b/${below}`]
}

/** The two names of `diff --git OLD NEW`, cut where both end alike. Names in quotes are read by the reader. */
function cutNames(line: string): readonly [string, string] | undefined {
  const below = (name: string) => name.slice(name.indexOf('/') + 1)
  const cuts = [...line.matchAll(/ /g)].map(
    ({ index }) => [line.slice(0, index), line.slice(index + 1)] as const,
  )
  return line.includes('"') ? undefined : cuts.find(([old, fresh]) => below(old) === below(fresh))
}

/** What both names end in, in full parts. If they are one name, its first folder may be a prefix all the same. */
function pathsOf(old: string, fresh: string): UnifiedFile['paths'] {
  const parts = old.split('/')
  const [path, below] = parts
    .map((_, index) => parts.slice(index).join('/'))
    .filter((end) => `/${fresh}`.endsWith(`/${end}`))
  if (path === undefined || path === '')
    throw new DiffFault(`${old} and ${fresh} are not the same, and nothing says that it is renamed`)
  const full = { oldPath: path, newPath: path }
  return old === fresh && below !== undefined ? [full, { oldPath: below, newPath: below }] : [full]
}
