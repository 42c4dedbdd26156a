/** How much room the trees and clean rooms of a project take, and what of them is old. */
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
  /** Without use for that time it is removed, by the next run or by this. */
  readonly keptForMs: number
}

export interface ProjectStorage {
  /** At most so many rooms at a time. */
  readonly rooms: Stored & { readonly most: number }
  readonly trees: Stored
  /** Rooms of long ago, of all projects, that were removed just now. */
  readonly removedRooms: number
}

/** Removes what is old, and measures what stays. */
export async function tidyStorage(
  place: { readonly workFolder: string; readonly snapshotFolder: string },
  signal: AbortSignal,
): Promise<ProjectStorage> {
  const snapshotFolder = realPath(place.snapshotFolder)
  const { all, own } = roomsOf(realPath(place.workFolder), snapshotFolder)
  const removedRooms = removeOldRooms(all) + removeOrphanedPlaces(all)
  await collectTrees(openSnapshots(snapshotFolder).trees, signal)
  const [ofRooms, ofTrees] = [await measureBytes(own), await measureBytes(snapshotFolder)]
  return {
    rooms: { folder: own, sizeBytes: ofRooms, keptForMs: roomsKeptForMs, most: maxRooms },
    trees: { folder: snapshotFolder, sizeBytes: ofTrees, keptForMs },
    removedRooms,
  }
}

/** What the files below it take on the disk; links are not followed. */
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

/** The unit in which systems count blocks. */
const blockBytes = 512
