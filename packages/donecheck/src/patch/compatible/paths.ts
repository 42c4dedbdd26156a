/**
 * Where a path of a patch leads, as the reference joins it: by its text alone, so that `link/..` is not where the link
 * leads to. It may leave the folder.
 * @param folder absolute
 */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
