import { namedPath, pathOfGitLine, readExtended, type FileHeaders } from './read-headers.ts'
import { DiffFault, type ParsedDiff, type UnifiedFile, type UnifiedHunk } from './unified-diff.ts'
import { lineKinds, type ChunkLine } from '../hunk.ts'

/**
 * Reads a unified diff, with or without the headers of git. Text above the first file is taken for a letter; anything else
 * that is neither header nor hunk is refused.
 */
export function parseUnifiedDiff(text: string): ParsedDiff {
  try {
    return { kind: 'diff', files: readFiles(withoutReturns(text.split('\n'))) }
  } catch (error) {
    if (!(error instanceof DiffFault)) throw error
    return { kind: 'invalid', message: error.message, line: error.line }
  }
}

function readFiles(lines: readonly string[]): readonly UnifiedFile[] {
  const files: UnifiedFile[] = []
  let at = 0
  while (at < lines.length && !isFileStart(lines, at)) at += 1
  while (at < lines.length && !isSignature(lines, at)) {
    const read = readFile(lines, at)
    files.push(read.file)
    at = read.next
  }
  if (files.length > 0) return files
  throw new DiffFault('no file is named: a diff begins with diff --git, or with --- and +++', 1)
}

/** Where the headers end in carriage returns too, they come from the way here, not from the files. */
function withoutReturns(lines: readonly string[]): readonly string[] {
  const header = lines.find((line) => line.startsWith('+++ ') || line.startsWith('diff --git '))
  return header?.endsWith('\r') === true ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

function isFileStart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  return (
    line.startsWith('diff --git ') || (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '))
  )
}

/** Of a mail: this line, and no more than the version of git below it. */
function isSignature(lines: readonly string[], at: number): boolean {
  if (!/^-- \r?$/.test(lines[at] ?? '')) return false
  return lines.slice(at + 1).filter((line) => line.trim() !== '').length <= 1
}

interface ReadFile {
  readonly file: UnifiedFile
  readonly next: number
}

function readFile(lines: readonly string[], start: number): ReadFile {
  const headers: FileHeaders = {}
  let at = start
  let gitPath: string | undefined
  if (lines[at]?.startsWith('diff --git ') === true) {
    gitPath = pathOfGitLine(lines[at] ?? '')
    at += 1
    while (at < lines.length && readExtended(lines[at] ?? '', headers, at + 1)) at += 1
  }
  if ((lines[at] ?? '').startsWith('--- ')) {
    readNames(lines, at, headers)
    at += 2
  }
  const { hunks, next } = readHunks(lines, at)
  return { file: fileOf(headers, gitPath, hunks, start + 1), next }
}

function readNames(lines: readonly string[], at: number, headers: FileHeaders): void {
  const [first, second] = [lines[at] ?? '', lines[at + 1] ?? '']
  if (!second.startsWith('+++ ')) throw new DiffFault('a --- line must be followed by a +++ line', at + 2)
  const [oldName, newName] = [namedPath(first.slice(4)), namedPath(second.slice(4))]
  if (oldName === undefined || newName === undefined) throw new DiffFault('the quotes are broken', at + 1)
  const isNull = { old: oldName === '/dev/null', new: newName === '/dev/null' }
  const isPrefixed = (isNull.old || oldName.startsWith('a/')) && (isNull.new || newName.startsWith('b/'))
  const bare = (name: string) => (isPrefixed ? name.slice(2) : name)
  headers.oldPath = isNull.old ? null : bare(oldName)
  headers.newPath = isNull.new ? null : bare(newName)
}

function readHunks(
  lines: readonly string[],
  start: number,
): { readonly hunks: readonly UnifiedHunk[]; readonly next: number } {
  const hunks: UnifiedHunk[] = []
  let at = start
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.startsWith('@@')) {
      const read = readHunk(lines, at)
      hunks.push(read.hunk)
      at = read.next
    } else if (line.trim() === '') at += 1
    else if (isFileStart(lines, at) || isSignature(lines, at)) break
    else throw new DiffFault(`neither a header nor part of a hunk: ${JSON.stringify(line)}`, at + 1)
  }
  return { hunks, next: at }
}

function fileOf(
  { isExecutable, isCreated, isDeleted, isRenamed, ...named }: FileHeaders,
  gitPath: string | undefined,
  hunks: readonly UnifiedHunk[],
  line: number,
): UnifiedFile {
  const oldPath = isCreated === true ? null : (named.oldPath ?? (named.oldPath === null ? null : gitPath))
  const newPath = isDeleted === true ? null : (named.newPath ?? (named.newPath === null ? null : gitPath))
  if (oldPath === undefined || newPath === undefined || (oldPath === null && newPath === null))
    throw new DiffFault('the names of the file cannot be read', line)
  if (oldPath !== null && newPath !== null && oldPath !== newPath && isRenamed !== true)
    throw new DiffFault(
      `${oldPath} and ${newPath} are not the same, and nothing says that it is renamed`,
      line,
    )
  if (hunks.length === 0 && oldPath === newPath && isExecutable === undefined)
    throw new DiffFault('the file has neither hunks nor any other change', line)
  return { oldPath, newPath, hunks, line, ...(isExecutable === undefined ? {} : { isExecutable }) }
}

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

/** The hunk whose header stands at `at`. Its counts must be right: they alone say where it ends. */
function readHunk(all: readonly string[], at: number): { readonly hunk: UnifiedHunk; readonly next: number } {
  const numbers = header.exec(all[at] ?? '')
  const line = at + 1
  if (numbers === null) throw new DiffFault(`not a hunk header: ${JSON.stringify(all[at])}`, line)
  let [oldLeft, newLeft] = [countOf(numbers[2]), countOf(numbers[3])]
  const lines: ChunkLine[] = []
  let next = at + 1
  for (; oldLeft > 0 || newLeft > 0 || isNoNewline(all[next]); next += 1) {
    const text = all[next]
    if (isNoNewline(text)) {
      const last = lines.pop()
      if (last === undefined) throw new DiffFault('no line stands before this one', next + 1)
      lines.push({ ...last, isUnterminated: true })
      continue
    }
    const kind = text === '' ? 'context' : lineKinds[text?.charAt(0) ?? '']
    if (text === undefined || kind === undefined || (text === '' && next === all.length - 1))
      throw wrongCount(line, next, 'fewer')
    if (kind !== 'added') oldLeft -= 1
    if (kind !== 'removed') newLeft -= 1
    if (oldLeft < 0 || newLeft < 0) throw wrongCount(line, next, 'more')
    lines.push({ kind, text: text.slice(1), line: next + 1 })
  }
  if (isSurplus(all[next] ?? '', all[next + 1])) throw wrongCount(line, next, 'more')
  return { hunk: { oldStart: Number(numbers[1]), lines, line }, next }
}

function countOf(written: string | undefined): number {
  return written === undefined ? 1 : Number(written)
}

function isNoNewline(line: string | undefined): boolean {
  return line?.startsWith('\\ ') === true
}

/** A line like those of the hunk, behind its last one: not the header of the next file, nor the signature of a mail. */
function isSurplus(line: string, following: string | undefined): boolean {
  if (/^-- \r?$/.test(line)) return false
  if (line.startsWith('--- ') && following?.startsWith('+++ ') === true) return false
  return /^[-+ ]/.test(line)
}

function wrongCount(line: number, at: number, which: 'more' | 'fewer'): DiffFault {
  return new DiffFault(`the hunk has ${which} lines than its header says (seen at line ${at + 1})`, line)
}
