import { realpath } from 'node:fs/promises'

/** The path without symbolic links; undefined: there is nothing, or it cannot be reached. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

/** Those that exist, without symbolic links, each once. */
export async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(realPath))
  return [...new Set(found.filter((path) => path !== undefined))]
}

/** Whether the path is the folder, or lies in it. Both absolute and without symbolic links. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
