import { accessSync, constants, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeScratchFolder } from '../../../system/process/index.ts'
import { namesIn, readText } from '../../../system/trees/index.ts'

/** Stores the path of the state folder that the rooms belong to. */
const ownerName = 'of'

/**
 * Returns the first place that is private to the user and can run programs, else the last.
 * @param places see `roomPlaces`
 * @param stateFolder owner
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
    // Fails if the file system forbids running programs.
    accessSync(owner, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Removes rooms of deleted state folders. It never rejects, and the process may end meanwhile: the next call goes on.
 * @param place from `choosePlace` @returns their number
 */
export async function removeOrphanedPlaces(place: string): Promise<number> {
  const ofUser = dirname(dirname(place))
  if (!existsSync(join(dirname(place), ownerName))) return 0
  const orphaned = namesIn(ofUser).filter((name) => {
    const stateFolder = readText(join(ofUser, name, ownerName))
    // Another process may be about to write it.
    return stateFolder !== '' && !existsSync(stateFolder)
  })
  for (const folder of orphaned.map((name) => join(ofUser, name))) {
    // The owner goes last: without it nobody knows that the rest is orphaned.
    for (const name of namesIn(folder).filter((one) => one !== ownerName))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
    removeScratchFolder(folder)
  }
  return orphaned.length
}
