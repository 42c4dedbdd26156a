import { DiffFault } from './unified-diff.ts'
import { readQuotedPath } from './quoted-path.ts'

/** The lines above the hunks of one file, put together. */
export interface FileHeaders {
  names?: { readonly old: string; readonly fresh: string } | undefined
  renamed?: { oldPath: string; newPath: string }
  isExecutable?: boolean
  isCreated?: boolean
  isDeleted?: boolean
}

/** Extended headers of git between `diff --git` and the names. @returns false: hunks, or the next file */
export function readExtended(line: string, headers: FileHeaders, at: number): boolean {
  const mode = /^(old mode|new mode|new file mode|deleted file mode) (\d+)$/.exec(line)
  if (mode !== null) return readMode(mode[1] ?? '', mode[2] ?? '', headers, at)
  const renamed = /^rename (from|to) (.+)$/.exec(line)
  if (renamed !== null) {
    const path = plainName(renamed[2] ?? '')
    if (path === undefined) throw new DiffFault(`the quotes are broken: ${line}`, at)
    headers.renamed ??= { oldPath: path, newPath: path }
    headers.renamed[renamed[1] === 'from' ? 'oldPath' : 'newPath'] = path
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

/** The name after `--- ` or `+++ `, without the time behind a tab. Undefined: the quotes are broken. */
export function namedPath(text: string): { readonly path: string; readonly isAbsent: boolean } | undefined {
  const quoted = text.startsWith('"') ? readQuotedPath(text) : undefined
  if (text.startsWith('"') && quoted === undefined) return undefined
  const tab = text.indexOf('\t')
  const path = quoted?.path ?? (tab === -1 ? text : text.slice(0, tab))
  const time = quoted?.rest ?? (tab === -1 ? '' : text.slice(tab))
  // `diff -N` gives a file that is not there the first moment that computers know.
  return {
    path,
    isAbsent: path === '/dev/null' || Date.parse(time.trim().replace(/(\.\d{3})\d+/, '$1')) === 0,
  }
}

/** The two names of `diff --git OLD NEW`, cut where both end alike; undefined: other lines must tell them. */
export function namesOfGitLine(line: string): FileHeaders['names'] {
  const names = line.slice('diff --git '.length)
  if (names.startsWith('"')) {
    const old = readQuotedPath(names)
    const fresh = old === undefined ? undefined : plainName(old.rest.trim())
    return old === undefined || fresh === undefined ? undefined : { old: old.path, fresh }
  }
  const cuts = [...names.matchAll(/ /g)].map(({ index }) => ({
    old: names.slice(0, index),
    fresh: plainName(names.slice(index + 1)) ?? '',
  }))
  return (
    cuts.find(({ old, fresh }) => nameBelow(old) === nameBelow(fresh)) ?? cuts.find(() => cuts.length === 1)
  )
}

/** Without the prefix that git puts before it. */
const nameBelow = (name: string): string => name.slice(name.indexOf('/') + 1)

function plainName(text: string): string | undefined {
  return text.startsWith('"') ? readQuotedPath(text)?.path : text
}
