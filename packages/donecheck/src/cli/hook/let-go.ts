/** That an agent was let go without any check, because of a failure of our own: written down where no store is needed. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { payloadOf, numberIn, textIn } from '../../agents/index.ts'
import { sha256 } from '../../sha256.ts'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'

export interface LetGo {
  /** The agent, a slash, and its own name of the session. */
  readonly session: string
  readonly atMs: number
  readonly problem: string
}

export function recordLetGo(letGo: LetGo, surroundings: HomeSurroundings): void {
  try {
    mkdirSync(folderOf(surroundings), { recursive: true, mode: 0o700 })
    writeFileSync(fileOf(letGo.session, surroundings), JSON.stringify(letGo), { mode: 0o600 })
  } catch {
    // The notice to the person is all that is left then.
    return
  }
}

/** Its checks were asked again: from then on the store tells. */
export function forgetLetGo(session: string, surroundings: HomeSurroundings): void {
  try {
    rmSync(fileOf(session, surroundings), { force: true })
  } catch {
    return
  }
}

/** Latest first. */
export function readLetGo(surroundings: HomeSurroundings): readonly LetGo[] {
  try {
    const folder = folderOf(surroundings)
    const found = readdirSync(folder).flatMap((name) => letGoIn(join(folder, name)) ?? [])
    return found.toSorted((one, other) => other.atMs - one.atMs)
  } catch {
    return []
  }
}

function letGoIn(file: string): LetGo | undefined {
  try {
    const fields = payloadOf(JSON.parse(readFileSync(file, 'utf8'))) ?? {}
    const [session, problem] = [textIn(fields, 'session'), textIn(fields, 'problem')]
    const atMs = numberIn(fields, 'atMs')
    const isWhole = session !== undefined && problem !== undefined && atMs !== undefined
    return isWhole ? { session, problem, atMs } : undefined
  } catch {
    return undefined
  }
}

function folderOf(surroundings: HomeSurroundings): string {
  return join(stateHome(surroundings), 'donecheck', 'let-go')
}

function fileOf(session: string, surroundings: HomeSurroundings): string {
  return join(folderOf(surroundings), `${sha256(session).slice(0, 32)}.json`)
}
