/** That an agent was let go without any check, because of a failure of our own: written down where no store is needed. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { payloadOf, numberIn, textIn } from '../../agents/index.ts'
import { sha256 } from '../../sha256.ts'
import type { HomeSurroundings } from '../../state-home.ts'
import { inOwnFolder, ownFolders } from './own-folders.ts'
import { readSmallFile, writeSmallFile } from './small-file.ts'

export interface LetGo {
  /** The agent, a slash, and its own name of the session. */
  readonly session: string
  readonly atMs: number
  readonly problem: string
  /** Where the agent worked; absent: it did not come to that. */
  readonly folder?: string
}

/** Where nothing can be written, the notice to the person is all that is left. */
export function recordLetGo(letGo: LetGo, surroundings: HomeSurroundings): void {
  inOwnFolder('let-go', surroundings, (folder) =>
    writeSmallFile(fileIn(folder, letGo.session), JSON.stringify(letGo)),
  )
}

/** Its checks were asked again: from then on the store tells. */
export function forgetLetGo(session: string, surroundings: HomeSurroundings): void {
  for (const folder of ownFolders('let-go', surroundings))
    try {
      rmSync(fileIn(folder, session), { force: true })
    } catch {
      continue
    }
}

/** Latest first. */
export function readLetGo(surroundings: HomeSurroundings): readonly LetGo[] {
  const found = ownFolders('let-go', surroundings).flatMap((folder) =>
    namesIn(folder).flatMap((name) => letGoIn(join(folder, name)) ?? []),
  )
  return found.toSorted((one, other) => other.atMs - one.atMs)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

function letGoIn(file: string): LetGo | undefined {
  try {
    const fields = payloadOf(JSON.parse(readSmallFile(file) ?? '')) ?? {}
    const [session, problem] = [textIn(fields, 'session'), textIn(fields, 'problem')]
    const [atMs, folder] = [numberIn(fields, 'atMs'), textIn(fields, 'folder')]
    if (session === undefined || problem === undefined || atMs === undefined) return undefined
    return { session, problem, atMs, ...(folder === undefined ? {} : { folder }) }
  } catch {
    return undefined
  }
}

function fileIn(folder: string, session: string): string {
  return join(folder, `${sha256(session).slice(0, 32)}.json`)
}
