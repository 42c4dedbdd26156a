/** A lock that is a file: one process at a time has it. */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { codeOf, jsonOf } from '../../base/index.ts'
import { isAlive, thisHolder } from './processes.ts'

const holderShape = z.strictObject({
  host: z.string(),
  processId: z.number(),
  processStart: z.string().nullable(),
  purpose: z.string(),
})

/** Takes the lock, also from a killed process. Remove the file to release it. @param purpose for people */
export function takeLock(lock: string, purpose: string): boolean {
  if (createLock(lock, purpose)) return true
  const before = readLock(lock)
  if (before === undefined || !isAbandoned(before, lock)) return false
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
  } catch {
    return createLock(lock, purpose)
  }
  const taken = readLock(aside)
  // Another process took it over in between, so restore its lock.
  if (taken !== before) restoreLock(aside, lock)
  rmSync(aside, { force: true })
  return taken === before && createLock(lock, purpose)
}

function createLock(lock: string, purpose: string): boolean {
  try {
    writeFileSync(lock, JSON.stringify(thisHolder(purpose)), { flag: 'wx', mode: 0o600 })
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

/** A younger incomplete lock may still be being written. */
const writingMs = 10_000
/** Milliseconds after which a lock of another host or container is stale. */
const unknownMs = 24 * 60 * 60 * 1_000

function isAbandoned(text: string, lock: string): boolean {
  const parsed = holderShape.safeParse(jsonOf(text))
  const ageMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (!parsed.success) return ageMs > writingMs
  const life = isAlive(parsed.data)
  return life === 'dead' || (life === 'unknown' && ageMs > unknownMs)
}
