/** What a turn has used so far, from the record that Gemini CLI keeps of its session: its stream tells it at the end only. */
import { constants } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { UsageSoFar } from './steps.ts'
import { SessionRecord } from './translate-session.ts'

export interface SessionLocation {
  readonly id: string
  /** What was recorded before is of earlier turns. */
  readonly sinceMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** A record that is longer is left alone: the end of the turn tells all the same. */
const maxBytes = 64 * 1024 * 1024

/** The record may be missing, moved, or forged by the agent: then less is known in mid-turn, and as much at the end. */
export function sessionUsage(place: SessionLocation): UsageSoFar {
  const record = new SessionRecord(new Date(place.sinceMs).toISOString())
  let file: string | undefined
  let offset = 0
  return async () => {
    try {
      file ??= await findSessionFile(place)
      if (file === undefined) return undefined
      const piece = await readFrom(file, offset)
      offset += piece.length
      record.add(piece)
      return record.usage()
    } catch {
      return undefined
    }
  }
}

async function findSessionFile({ id, environment }: SessionLocation): Promise<string | undefined> {
  const home = environment['GEMINI_CLI_HOME'] ?? environment['HOME'] ?? homedir()
  const projects = join(home, '.gemini', 'tmp')
  const ending = `-${id.slice(0, 8)}.jsonl`
  for (const project of await readdir(projects)) {
    const chats = join(projects, project, 'chats')
    const names = await readdir(chats).catch(() => [])
    const found = names.findLast((name) => name.startsWith('session-') && name.endsWith(ending))
    if (found !== undefined) return join(chats, found)
  }
  return undefined
}

/** What is no plain file is not read: it could keep us for ever. */
async function readFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await readPiece(handle, offset)
  } finally {
    await handle.close()
  }
}

async function readPiece(handle: FileHandle, offset: number): Promise<Buffer> {
  const entry = await handle.stat()
  if (!entry.isFile() || entry.size > maxBytes) throw new RangeError('not a record')
  const piece = Buffer.alloc(Math.max(0, entry.size - offset))
  const { bytesRead } = await handle.read(piece, 0, piece.length, offset)
  return piece.subarray(0, bytesRead)
}
