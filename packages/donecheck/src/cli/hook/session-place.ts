/** Where a session was first seen: its agent may go elsewhere, and is still held by what was agreed there. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../sha256.ts'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'
import { readSmallFile, writeSmallFile } from './small-file.ts'

const keptMs = 30 * 24 * 3_600_000

/** @param session the agent, a slash, and its own name of the session */
export function placeOfSession(session: string, surroundings: HomeSurroundings): string | undefined {
  return readSmallFile(fileOf(session, surroundings))
}

/** Where it cannot be noted, the session is found by its folder alone. */
export function notePlaceOfSession(session: string, folder: string, surroundings: HomeSurroundings): void {
  try {
    mkdirSync(folderOf(surroundings), { recursive: true, mode: 0o700 })
    writeSmallFile(fileOf(session, surroundings), folder)
    forgetOld(folderOf(surroundings))
  } catch {
    return
  }
}

function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (statSync(file).mtimeMs < Date.now() - keptMs) rmSync(file, { force: true })
  }
}

/** Nowhere else: what lies in a folder for passing files, the agent may write itself. */
function folderOf(surroundings: HomeSurroundings): string {
  return join(stateHome(surroundings), 'donecheck', 'sessions')
}

function fileOf(session: string, surroundings: HomeSurroundings): string {
  return join(folderOf(surroundings), sha256(session).slice(0, 32))
}
