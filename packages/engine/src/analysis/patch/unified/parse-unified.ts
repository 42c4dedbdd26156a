import { namedPath, pathOfGitLine, readExtended, type FileHeaders } from './read-headers.ts'
import type { ParsedDiff, UnifiedFile, UnifiedHunk } from './unified-diff.ts'
import { lineKinds, type ChunkLine } from '../hunk.ts'

interface Invalid {
  readonly message: string
  readonly line: number
}

/**
 * Reads a unified diff, with or without the headers of git. Text above the first file is taken for a letter; anything else
 * that is neither header nor hunk is refused.
 */
export function parseUnifiedDiff(text: string): ParsedDiff {
  const lines = withoutReturns(text.split('\n'))
  const files: UnifiedFile[] = []
  let at = 0
  while (at < lines.length && !isFileStart(lines, at)) at += 1
  while (at < lines.length && !isSignature(lines, at)) {
    const read = readFile(lines, at)
    if ('message' in read) return { kind: 'invalid', ...read }
    files.push(read.file)
    at = read.next
  }
  if (files.length === 0)
    return {
      kind: 'invalid',
      message: 'no file is named: a diff begins with diff --git, or with --- and +++',
      line: 1,
    }
  return { kind: 'diff', files }
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

function readFile(lines: readonly string[], start: number): { file: UnifiedFile; next: number } | Invalid {
  const headers: FileHeaders = {}
  let at = start
  let gitPath: string | undefined
  if (lines[at]?.startsWith('diff --git ') === true) {
    gitPath = pathOfGitLine(lines[at] ?? '')
    for (at += 1; at < lines.length; at += 1) {
      const read = readExtended(lines[at] ?? '', headers)
      if (read.kind === 'invalid') return { message: read.message, line: at + 1 }
      if (read.kind === 'other') break
    }
  }
  if ((lines[at] ?? '').startsWith('--- ')) {
    const problem = readNames(lines, at, headers)
    if (problem !== undefined) return problem
    at += 2
  }
  const read = readHunks(lines, at)
  if ('message' in read) return read
  return fileOf(headers, gitPath, read.hunks, start, read.next)
}

function readNames(lines: readonly string[], at: number, headers: FileHeaders): Invalid | undefined {
  const [first, second] = [lines[at] ?? '', lines[at + 1] ?? '']
  if (!second.startsWith('+++ '))
    return { message: 'a --- line must be followed by a +++ line', line: at + 2 }
  const [oldName, newName] = [namedPath(first.slice(4)), namedPath(second.slice(4))]
  if (oldName === undefined || newName === undefined)
    return { message: 'the quotes are broken', line: at + 1 }
  const isNull = { old: oldName === '/dev/null', new: newName === '/dev/null' }
  const isPrefixed = (isNull.old || oldName.startsWith('a/')) && (isNull.new || newName.startsWith('b/'))
  const bare = (name: string) => (isPrefixed ? name.slice(2) : name)
  headers.oldPath = isNull.old ? null : bare(oldName)
  headers.newPath = isNull.new ? null : bare(newName)
  return undefined
}

function readHunks(
  lines: readonly string[],
  start: number,
): { hunks: UnifiedHunk[]; next: number } | Invalid {
  const hunks: UnifiedHunk[] = []
  let at = start
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (isHunkHeader(line)) {
      const read = readHunk(lines, at)
      if (read.kind === 'invalid') return { message: read.message, line: read.line }
      hunks.push(read.hunk)
      at = read.next
    } else if (line.trim() === '') at += 1
    else if (isFileStart(lines, at) || isSignature(lines, at)) break
    else return { message: `neither a header nor part of a hunk: ${JSON.stringify(line)}`, line: at + 1 }
  }
  return { hunks, next: at }
}

function fileOf(
  { isExecutable, isCreated, isDeleted, isRenamed, ...named }: FileHeaders,
  gitPath: string | undefined,
  hunks: readonly UnifiedHunk[],
  start: number,
  next: number,
): { file: UnifiedFile; next: number } | Invalid {
  const line = start + 1
  const oldPath = isCreated === true ? null : (named.oldPath ?? (named.oldPath === null ? null : gitPath))
  const newPath = isDeleted === true ? null : (named.newPath ?? (named.newPath === null ? null : gitPath))
  if (oldPath === undefined || newPath === undefined || (oldPath === null && newPath === null))
    return { message: 'the names of the file cannot be read', line }
  if (oldPath !== null && newPath !== null && oldPath !== newPath && isRenamed !== true)
    return {
      message: `${oldPath} and ${newPath} are not the same, and nothing says that it is renamed`,
      line,
    }
  const mode = isExecutable === undefined ? {} : { isExecutable }
  const isEmpty = hunks.length === 0 && oldPath === newPath && isExecutable === undefined
  if (isEmpty) return { message: 'the file has neither hunks nor any other change', line }
  return { file: { oldPath, newPath, hunks, line, ...mode }, next }
}

type ReadHunk =
  | { readonly kind: 'hunk'; readonly hunk: UnifiedHunk; readonly next: number }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number }

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

function isHunkHeader(line: string): boolean {
  return line.startsWith('@@')
}

/** The hunk whose header stands at `at`. Its counts must be right: they alone say where it ends. */
function readHunk(all: readonly string[], at: number): ReadHunk {
  const numbers = header.exec(all[at] ?? '')
  const line = at + 1
  if (numbers === null)
    return { kind: 'invalid', message: `not a hunk header: ${JSON.stringify(all[at])}`, line }
  let [oldLeft, newLeft] = [countOf(numbers[2]), countOf(numbers[3])]
  const lines: ChunkLine[] = []
  let next = at + 1
  for (; oldLeft > 0 || newLeft > 0 || isNoNewline(all[next]); next += 1) {
    const text = all[next]
    if (isNoNewline(text)) {
      const last = lines.pop()
      if (last === undefined)
        return { kind: 'invalid', message: 'no line stands before this one', line: next + 1 }
      lines.push({ ...last, isUnterminated: true })
      continue
    }
    const kind = text === '' ? 'context' : lineKinds[text?.charAt(0) ?? '']
    if (text === undefined || kind === undefined || (text === '' && next === all.length - 1))
      return wrongCount(line, next, oldLeft, newLeft)
    if (kind !== 'added') oldLeft -= 1
    if (kind !== 'removed') newLeft -= 1
    if (oldLeft < 0 || newLeft < 0) return wrongCount(line, next, oldLeft, newLeft)
    lines.push({ kind, text: text.slice(1), line: next + 1 })
  }
  const surplus = all[next] ?? ''
  if (isSurplus(surplus, all[next + 1])) return wrongCount(line, next, -1, -1)
  return { kind: 'hunk', hunk: { oldStart: Number(numbers[1]), lines, line }, next }
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

function wrongCount(line: number, at: number, oldLeft: number, newLeft: number): ReadHunk {
  const isMore = oldLeft < 0 || newLeft < 0
  const what = isMore ? 'more lines' : 'fewer lines'
  return {
    kind: 'invalid',
    message: `the hunk has ${what} than its header says (seen at line ${at + 1})`,
    line,
  }
}
