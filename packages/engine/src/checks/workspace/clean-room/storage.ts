import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { realPath } from '../../../base/index.ts'
import { collectTrees, keptForMs, openSnapshots } from '../snapshots.ts'
import { roomsOf } from './clean-room.ts'
import { removeOrphanedPlaces } from './place.ts'
import { maxRooms, removeOldRooms, roomsKeptForMs } from './lease.ts'

interface Stored {
  readonly folder: string
  readonly sizeBytes: number
  /** Removed after this time without use. */
  readonly keptForMs: number
}

export interface ProjectStorage {
  readonly rooms: Stored & { readonly most: number }
  readonly trees: Stored
  /** Old rooms of all projects removed just now. */
  readonly removedRooms: number
}

export async function tidyStorage(
  place: { readonly workFolder: string; readonly snapshotFolder: string },
  signal: AbortSignal,
): Promise<ProjectStorage> {
  const snapshotFolder = realPath(place.snapshotFolder)
  const { all, own } = roomsOf(realPath(place.workFolder), snapshotFolder)
  const removedRooms = removeOldRooms(all) + (await removeOrphanedPlaces(all))
  await collectTrees(openSnapshots(snapshotFolder).trees, signal)
  const [ofRooms, ofTrees] = [await measureBytes(own), await measureBytes(snapshotFolder)]
  return {
    rooms: { folder: own, sizeBytes: ofRooms, keptForMs: roomsKeptForMs, most: maxRooms },
    trees: { folder: snapshotFolder, sizeBytes: ofTrees, keptForMs },
    removedRooms,
  }
}

async function measureBytes(folder: string): Promise<number> {
  let bytes = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else bytes += (await lstat(path).catch(() => undefined))?.blocks ?? 0
    }
  }
  return bytes * blockBytes
}

/** Unit in which `stat` counts blocks. */
const blockBytes = 512
