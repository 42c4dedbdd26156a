/** How often in a row a hook of ours has failed at a claim: so that a failure of our own never holds an agent for ever. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../sha256.ts'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'

/** So often in a row an agent is held by a failure of ours. */
export const mostCrashes = 3

/** @returns how many it are with this one; undefined: nobody can count */
export function countCrash(session: string, surroundings: HomeSurroundings): number | undefined {
  try {
    const file = fileOf(session, surroundings)
    mkdirSync(folderOf(surroundings), { recursive: true, mode: 0o700 })
    const count = countIn(file) + 1
    writeFileSync(file, String(count), { mode: 0o600 })
    return count
  } catch {
    return undefined
  }
}

export function forgetCrashes(session: string, surroundings: HomeSurroundings): void {
  try {
    rmSync(fileOf(session, surroundings), { force: true })
  } catch {
    return
  }
}

function countIn(file: string): number {
  try {
    const count = Number(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(count) && count > 0 ? count : 0
  } catch {
    return 0
  }
}

function folderOf(surroundings: HomeSurroundings): string {
  return join(stateHome(surroundings), 'donecheck', 'crashes')
}

function fileOf(session: string, surroundings: HomeSurroundings): string {
  return join(folderOf(surroundings), sha256(session).slice(0, 32))
}
