import { DiffFault } from './unified-diff.ts'
import { readQuotedPath } from './quoted-path.ts'

/** The lines above the hunks of one file, put together. */
export interface FileHeaders {
  oldPath?: string | null
  newPath?: string | null
  isExecutable?: boolean
  isCreated?: true
  isDeleted?: true
  isRenamed?: true
}

/** Extended headers of git between `diff --git` and the names. @returns false: hunks, or the next file */
export function readExtended(line: string, headers: FileHeaders, at: number): boolean {
  const mode = /^(old mode|new mode|new file mode|deleted file mode) (\d+)$/.exec(line)
  if (mode !== null) return readMode(mode[1] ?? '', mode[2] ?? '', headers, at)
  const renamed = /^rename (from|to) (.+)$/.exec(line)
  if (renamed !== null) {
    const path = plainName(renamed[2] ?? '')
    if (path === undefined) throw new DiffFault(`the quotes are broken: ${line}`, at)
    if (renamed[1] === 'from') headers.oldPath = path
    else headers.newPath = path
    headers.isRenamed = true
    return true
  }
  if (/^copy (from|to) /.test(line))
    throw new DiffFault('copies are not supported: add the file with its content', at)
  if (/^(GIT binary patch$|Binary files )/.test(line))
    throw new DiffFault('binary content is not supported', at)
  return /^(similarity index|dissimilarity index|index) /.test(line)
}

function readMode(what: string, mode: string, headers: FileHeaders, at: number): boolean {
  if (!/^100[0-7]{3}$/.test(mode)) throw new DiffFault(`mode ${mode} is not that of a regular file`, at)
  if (what === 'new file mode') headers.isCreated = true
  if (what === 'deleted file mode') headers.isDeleted = true
  if (what.startsWith('new')) headers.isExecutable = (Number.parseInt(mode, 8) & 0o100) !== 0
  return true
}

/** The name after `--- ` or `+++ `: without a time behind a tab. Undefined: the quotes are broken. */
export function namedPath(text: string): string | undefined {
  if (text.startsWith('"')) return readQuotedPath(text)?.path
  return text.split('\t')[0]
}

/** The two names of `diff --git a/X b/X`, where they are the same or quoted; otherwise other lines must tell them. */
export function pathOfGitLine(line: string): string | undefined {
  const names = line.slice('diff --git '.length)
  if (names.startsWith('"')) {
    const first = readQuotedPath(names)
    return first?.path.startsWith('a/') === true ? first.path.slice(2) : undefined
  }
  const half = (names.length - 1) / 2
  const [first, second] = [names.slice(0, half), names.slice(half + 1)]
  const isTwice = first.startsWith('a/') && second.startsWith('b/') && first.slice(2) === second.slice(2)
  return isTwice ? first.slice(2) : undefined
}

function plainName(text: string): string | undefined {
  return text.startsWith('"') ? readQuotedPath(text)?.path : text
}
