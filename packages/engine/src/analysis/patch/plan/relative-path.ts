/** Paths as a patch may write them: refused by their form, before any file is looked at. */

export type RelativePath =
  /** `/` between its parts, none of them empty, `.` or `..`. */
  | { readonly kind: 'relative'; readonly path: string }
  /** One sentence that names the path. */
  | { readonly kind: 'bad'; readonly reason: string }

/** `./` and doubled slashes are taken off; whatever could leave the root is refused, even where it would come back. */
export function relativePathOf(written: string): RelativePath {
  const problem = problemOf(written)
  if (problem !== undefined) return { kind: 'bad', reason: `the path ${JSON.stringify(written)} ${problem}` }
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0) return { kind: 'bad', reason: `the path ${JSON.stringify(written)} names no file` }
  return { kind: 'relative', path: parts.join('/') }
}

function problemOf(written: string): string | undefined {
  if (written === '') return 'is empty'
  if (/[^\P{Cc}\u0080-\u009f]/u.test(written)) return 'holds a control character'
  if (written.startsWith('/')) return 'is absolute: write it relative to the root'
  if (/^[a-z]:/i.test(written)) return 'begins with a drive: write it relative to the root'
  if (written.includes('\\')) return 'holds a backslash: write / between its parts'
  if (written.split('/').includes('..')) return 'has a .. part: write it relative to the root, without ..'
  if (/(^|\/)\.?$/.test(written)) return 'names a folder, not a file'
  return undefined
}
