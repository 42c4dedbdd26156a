/** What watches over an agent is not changed by it: its settings with our hooks in them, and our own records. */
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { realPath } from '@donecheck/engine/base'

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
