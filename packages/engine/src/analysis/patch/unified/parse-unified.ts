import { namedPath, namesOfGitLine, readExtended, type FileHeaders } from './read-headers.ts'
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

/** The lines of a diff, and which of them is read next. */
interface Reader {
  readonly lines: readonly string[]
  at: number
}

function readFiles(lines: readonly string[]): readonly UnifiedFile[] {
  const files: UnifiedFile[] = []
  const reader: Reader = { lines, at: 0 }
  while (reader.at < lines.length && !isFileStart(reader)) reader.at += 1
  while (reader.at < lines.length && !isSignature(reader)) files.push(readFile(reader))
  if (files.length > 0) return files
  throw new DiffFault('no file is named: a diff begins with diff --git, or with --- and +++', 1)
}

/** Where the headers end in carriage returns too, they come from the way here, not from the files. */
function withoutReturns(lines: readonly string[]): readonly string[] {
  const header = lines.find((line) => line.startsWith('+++ ') || line.startsWith('diff --git '))
  return header?.endsWith('\r') === true ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

function isFileStart({ lines, at }: Reader): boolean {
  const line = lines[at] ?? ''
  return isGitLine(line) || (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '))
}

const isGitLine = (line: string): boolean => line.startsWith('diff --git ')

/** What `diff -r` and Subversion write between files. */
const separator = /^(?:diff (?!--git )|Only in |Index: |={60,}\r?$)/

/** Of a mail: this line, and no more than the version of git below it. */
function isSignature({ lines, at }: Reader): boolean {
  if (!/^-- \r?$/.test(lines[at] ?? '')) return false
  return lines.slice(at + 1).filter((line) => line.trim() !== '').length <= 1
}

function readFile(reader: Reader): UnifiedFile {
  const { lines, at: start } = reader
  const headers: FileHeaders = {}
  if (isGitLine(lines[start] ?? '')) {
    headers.names = namesOfGitLine(lines[start] ?? '')
    reader.at += 1
    while (reader.at < lines.length && readExtended(lines[reader.at] ?? '', headers, reader.at + 1))
      reader.at += 1
  }
  if (lines[reader.at]?.startsWith('--- ') === true) readNames(reader, headers)
  return fileOf(headers, readHunks(reader), start + 1)
}

function readNames(reader: Reader, headers: FileHeaders): void {
  const { lines, at } = reader
  reader.at += 2
  const [first, second] = [lines[at] ?? '', lines[at + 1] ?? '']
  if (!second.startsWith('+++ ')) throw new DiffFault('a --- line must be followed by a +++ line', at + 2)
  const [old, fresh] = [namedPath(first.slice(4)), namedPath(second.slice(4))]
  if (old === undefined || fresh === undefined) throw new DiffFault('the quotes are broken', at + 1)
  if (old.isAbsent) headers.isCreated = true
  if (fresh.isAbsent) headers.isDeleted = true
  const named = old.path === '/dev/null' ? fresh.path : old.path
  if (named !== old.path || fresh.path === '/dev/null') headers.names ??= namesOfOne(named)
  else headers.names = { old: old.path, fresh: fresh.path }
}

/** The other name is `/dev/null`: an `a/` or `b/` before this one is taken for a prefix. */
function namesOfOne(name: string): FileHeaders['names'] {
  const below = /^[ab]\/(.+)$/s.exec(name)?.[1]
  return below === undefined ? { old: name, fresh: name } : { old: `a/${below}`, fresh: `b/${below}` }
}

function readHunks(reader: Reader): readonly UnifiedHunk[] {
  const hunks: UnifiedHunk[] = []
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? ''
    if (line.startsWith('@@')) hunks.push(readHunk(reader))
    else if (line.trim() === '' || separator.test(line)) reader.at += 1
    else if (isFileStart(reader) || isSignature(reader)) break
    else throw new DiffFault(`neither a header nor part of a hunk: ${JSON.stringify(line)}`, reader.at + 1)
  }
  return hunks
}

function fileOf(
  { isExecutable, isCreated = false, isDeleted = false, names, renamed }: FileHeaders,
  hunks: readonly UnifiedHunk[],
  line: number,
): UnifiedFile {
  if ((names ?? renamed) === undefined || (isCreated && isDeleted))
    throw new DiffFault('the names of the file cannot be read', line)
  if (hunks.length === 0 && !isCreated && !isDeleted && renamed === undefined && isExecutable === undefined)
    throw new DiffFault('the file has neither hunks nor any other change', line)
  const change = isCreated ? 'created' : isDeleted ? 'deleted' : 'changed'
  const paths = renamed === undefined ? pathsOf(names, line) : ([renamed] as const)
  return { paths, change, hunks, line, ...(isExecutable === undefined ? {} : { isExecutable }) }
}

/** What both names end in, in whole parts. Where they are one name, its first folder may be a prefix all the same. */
function pathsOf({ old, fresh } = { old: '', fresh: '' }, line: number): UnifiedFile['paths'] {
  const parts = old.split('/')
  const [path, below] = parts
    .map((_, index) => parts.slice(index).join('/'))
    .filter((end) => `/${fresh}`.endsWith(`/${end}`))
  if (path === undefined || path === '')
    throw new DiffFault(`${old} and ${fresh} are not the same, and nothing says that it is renamed`, line)
  const whole = { oldPath: path, newPath: path }
  return old === fresh && below !== undefined ? [whole, { oldPath: below, newPath: below }] : [whole]
}

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

/** The hunk whose header is read next. Its counts must be right: they alone say where it ends. */
function readHunk(reader: Reader): UnifiedHunk {
  const { lines: all, at } = reader
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
  reader.at = next
  return { oldStart: Number(numbers[1]), lines, line }
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
