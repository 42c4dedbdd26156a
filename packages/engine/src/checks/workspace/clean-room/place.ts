/** The folder that holds the clean rooms of a user: in a place that others may write to, it must be the user's own. */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeScratchFolder } from '../../../system/process/index.ts'
import { namesIn, readText } from '../../../system/trees/index.ts'

/** Beside the rooms: the path of the state folder that they belong to. */
const ownerName = 'of'

/**
 * The first of these places that is only this user's and lets programs run; the last one if none is.
 * @param places absolute: see `roomPlaces`. All but the last one are two levels below a folder that everybody can write to
 * @param stateFolder whose rooms lie there
 */
export function choosePlace(places: readonly string[], stateFolder: string): string {
  const [last = ''] = places.slice(-1)
  return places.slice(0, -1).find((place) => isOwnPlace(place, stateFolder)) ?? last
}

function isOwnPlace(place: string, stateFolder: string): boolean {
  try {
    const ofHome = dirname(place)
    mkdirSync(ofHome, { recursive: true, mode: 0o700 })
    const stats = lstatSync(dirname(ofHome))
    const isOurs = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
    if (!isOurs) return false
    const owner = join(ofHome, ownerName)
    if (!existsSync(owner)) writeFileSync(owner, stateFolder, { mode: 0o700 })
    // A file that may be executed by its mode is refused where the file system runs no programs.
    accessSync(owner, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Removes the rooms of state folders that are gone, such as those of a temporary home.
 * @param place that `choosePlace` returned
 * @returns of how many
 */
export function removeOrphanedPlaces(place: string): number {
  const ofUser = dirname(dirname(place))
  if (!existsSync(join(dirname(place), ownerName))) return 0
  const orphaned = namesIn(ofUser).filter((name) => {
    const owner = join(ofUser, name, ownerName)
    return existsSync(owner) && !existsSync(readText(owner))
  })
  for (const name of orphaned) removeScratchFolder(join(ofUser, name))
  return orphaned.length
}
