/** What watches over an agent is not changed by it: its settings with our hooks in them, and our own records. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'

/**
 * @param paths relative to the work folder, absolute, or below `~/`
 * @returns absolute
 */
export function placesOf(
  paths: readonly string[],
  workFolder: string | null,
  homeFolder = homedir(),
): readonly string[] {
  return paths.flatMap((path) => {
    if (path.startsWith('~/')) return [join(homeFolder, path.slice(2))]
    return workFolder === null ? [] : [resolve(workFolder, path)]
  })
}

/** @param path absolute; symbolic links on the way are followed, as far as it exists */
export function isOwnPlace(path: string, ownPlaces: readonly string[]): boolean {
  if (ownPlaces.length === 0) return false
  const real = realPath(path)
  const places = ownPlaces.map(realPath)
  const isAtOrBelow = (one: string, place: string) => one === place || one.startsWith(`${place}${sep}`)
  return [...ownPlaces, ...places].some((place) => isAtOrBelow(path, place) || isAtOrBelow(real, place))
}

/** With every link followed, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
