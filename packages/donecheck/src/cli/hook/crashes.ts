/** How often in a row a hook of ours has failed at a claim: so that a failure of our own never holds an agent for ever. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../sha256.ts'
import type { HomeSurroundings } from '../../state-home.ts'
import { inOwnFolder, ownFolders } from './own-folders.ts'
import { readSmallFile, writeSmallFile } from './small-file.ts'

/** So often in a row an agent is held by a failure of ours. */
export const mostCrashes = 3

/** @returns how many it are with this one; undefined: nobody can count */
export function countCrash(session: string, surroundings: HomeSurroundings): number | undefined {
  return inOwnFolder('crashes', surroundings, (folder) => {
    const file = fileIn(folder, session)
    const count = countIn(file) + 1
    writeSmallFile(file, String(count))
    return count
  })
}

export function forgetCrashes(session: string, surroundings: HomeSurroundings): void {
  for (const folder of ownFolders('crashes', surroundings))
    try {
      rmSync(fileIn(folder, session), { force: true })
    } catch {
      continue
    }
}

function countIn(file: string): number {
  const count = Number(readSmallFile(file))
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

function fileIn(folder: string, session: string): string {
  return join(folder, sha256(session).slice(0, 32))
}
