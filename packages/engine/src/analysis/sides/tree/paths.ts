/** Paths with `/`, relative to the work folder, which is the empty path itself. */

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Without `.`, `..` and empty parts. Undefined: it leads out of the work folder. */
export function resolvePath(folder: string, written: string): string | undefined {
  const parts: string[] = []
  for (const part of `${folder}/${written}`.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}

/** The folder and those around it, up to the work folder. */
export function foldersAround(folder: string): readonly string[] {
  return folder === '' ? [folder] : [folder, ...foldersAround(folderOf(folder))]
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
