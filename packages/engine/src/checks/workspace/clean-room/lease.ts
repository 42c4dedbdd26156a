/** Who uses which clean room: one user at a time, and a lock that a killed process leaves is taken over. */
import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, jsonOf } from '../../../base/index.ts'
import { isAlive, removeScratchFolder, thisHolder } from '../../../system/process/index.ts'
import { SnapshotError } from '../snapshots.ts'
import { namesIn } from '../../../system/trees/index.ts'

export interface LeasedRoom {
  /** Absolute; everything of the room is below it. */
  readonly root: string
  /** Frees it for the next user. Never throws. */
  release(): void
}

const holderShape = z.strictObject({
  host: z.string(),
  processId: z.number(),
  processStart: z.string().nullable(),
  purpose: z.string(),
})

/** More processes than that do not decide in one project at a time. */
export const maxRooms = 8

/**
 * Takes the first room of a project that no living process uses.
 * @param folder of the rooms of the project; it is made if it is missing
 * @throws {SnapshotError} if all of them are in use
 */
export function leaseRoom(folder: string): LeasedRoom {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let number = 1; number <= maxRooms; number += 1) {
    const lock = join(folder, `${number}.lock`)
    if (!takeLock(lock)) continue
    const root = join(folder, String(number))
    mkdirSync(root, { recursive: true, mode: 0o700 })
    utimesSync(root, new Date(), new Date())
    return { root, release: () => rmSync(lock, { force: true }) }
  }
  throw new SnapshotError(
    `all ${maxRooms} clean rooms of this project are in use; try again when a run has ended`,
  )
}

function takeLock(lock: string): boolean {
  if (createLock(lock)) return true
  const before = readLock(lock)
  if (before === undefined || !isAbandoned(before, lock)) return false
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
  } catch {
    return createLock(lock)
  }
  const taken = readLock(aside)
  // Another process took the room over between our two looks: its lock goes back to its place.
  if (taken !== before) restoreLock(aside, lock)
  rmSync(aside, { force: true })
  return taken === before && createLock(lock)
}

function createLock(lock: string): boolean {
  try {
    writeFileSync(lock, JSON.stringify(thisHolder('clean room')), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function restoreLock(aside: string, lock: string): void {
  try {
    linkSync(aside, lock)
  } catch {
    return
  }
}

function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

/** A lock that was not written to its end is of a process that was killed meanwhile, unless it is younger than that takes. */
const writingMs = 10_000
/** A holder of another host or container cannot be looked at. */
const unknownMs = 24 * 60 * 60 * 1_000

function isAbandoned(text: string, lock: string): boolean {
  const parsed = holderShape.safeParse(jsonOf(text))
  const ageMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (!parsed.success) return ageMs > writingMs
  const life = isAlive(parsed.data)
  return life === 'dead' || (life === 'unknown' && ageMs > unknownMs)
}

export const roomsKeptForMs = 30 * 24 * 60 * 60 * 1_000

/**
 * Removes the rooms of all projects that were not used for 30 days. One that is in use stays.
 * @param folder that holds a folder of rooms for each project
 * @returns how many were removed
 */
export function removeOldRooms(folder: string, nowMs = Date.now()): number {
  let removed = 0
  for (const project of namesIn(folder)) {
    const rooms = join(folder, project)
    for (const name of namesIn(rooms).filter((one) => /^\d+$/u.test(one))) {
      const root = join(rooms, name)
      const usedMs = statSync(root, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
      const lock = `${root}.lock`
      if (nowMs - usedMs < roomsKeptForMs || !takeLock(lock)) continue
      removeScratchFolder(root)
      rmSync(`${root}.json`, { force: true })
      rmSync(lock, { force: true })
      removed += 1
    }
    if (namesIn(rooms).every((name) => !/^\d+(?:\.lock)?$/u.test(name))) removeScratchFolder(rooms)
  }
  return removed
}

/** Removes the files of a folder that were not used for 30 days. */
export function removeOldFiles(folder: string, nowMs = Date.now()): void {
  for (const name of namesIn(folder)) {
    const usedMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs
    if (nowMs - usedMs >= roomsKeptForMs) rmSync(join(folder, name), { force: true })
  }
}
