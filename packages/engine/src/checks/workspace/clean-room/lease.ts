/** Gives each clean room one user at a time; a killed process loses its lock. */
import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { removeScratchFolder, takeLock } from '../../../system/process/index.ts'
import { SnapshotError } from '../snapshots.ts'
import { namesIn } from '../../../system/trees/index.ts'

export interface LeasedRoom {
  readonly root: string
  /** Never throws. */
  release(): void
}

/** Limits concurrent deciding processes per project. */
export const maxRooms = 8

/** Leases a project's first free room; creates the folder. @throws {SnapshotError} if all are in use */
export function leaseRoom(folder: string): LeasedRoom {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let number = 1; number <= maxRooms; number += 1) {
    const lock = join(folder, `${number}.lock`)
    if (!takeLock(lock, 'clean room')) continue
    const root = join(folder, String(number))
    mkdirSync(root, { recursive: true, mode: 0o700 })
    utimesSync(root, new Date(), new Date())
    return { root, release: () => rmSync(lock, { force: true }) }
  }
  throw new SnapshotError(
    `all ${maxRooms} clean rooms of this project are in use; try again when a run has ended`,
  )
}

export const roomsKeptForMs = 30 * 24 * 60 * 60 * 1_000

/** Removes unused rooms after 30 days. @param folder contains one folder per project @returns their number */
export function removeOldRooms(folder: string, nowMs = Date.now()): number {
  let removed = 0
  for (const project of namesIn(folder)) {
    const rooms = join(folder, project)
    for (const name of namesIn(rooms).filter((one) => /^\d+$/u.test(one))) {
      const root = join(rooms, name)
      const usedMs = statSync(root, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
      const lock = `${root}.lock`
      if (nowMs - usedMs < roomsKeptForMs || !takeLock(lock, 'clean room')) continue
      removeScratchFolder(root)
      rmSync(`${root}.json`, { force: true })
      rmSync(lock, { force: true })
      removed += 1
    }
    if (namesIn(rooms).every((name) => !/^\d+(?:\.lock)?$/u.test(name))) removeScratchFolder(rooms)
  }
  return removed
}

/** Removes unused files after 30 days. */
export function removeOldFiles(folder: string, nowMs = Date.now()): void {
  for (const name of namesIn(folder)) {
    const usedMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs
    if (nowMs - usedMs >= roomsKeptForMs) rmSync(join(folder, name), { force: true })
  }
}
