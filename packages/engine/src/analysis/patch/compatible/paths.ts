/**
 * Where a path of a patch leads, as the reference joins it: by its text alone, so that `link/..` is not where the link
 * leads to. It may leave the folder. There it goes through a file URL, in which tabs and carriage returns count for nothing.
 * @param folder absolute
 */
export function joinPath(folder: string, path: string): string {
  const reported = path.replaceAll(/[\t\r]/gu, '')
  const parts: string[] = []
  for (const part of (reported.startsWith('/') ? reported : `${folder}/${reported}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
