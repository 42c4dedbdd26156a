/**
 * Notes of the checks that run right now, so that a process that one of them has started can be told from all others. Nothing
 * in the environment of a check says so: a product could read it there, and behave well only while it is checked.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisMachine, type ProcessView } from './ancestors.ts'
import { checkNotesFolder, listCheckNotes } from './check-notes.ts'
import { holderOf, isAlive } from './holder.ts'
import type { ProcessHolder } from '../../ports/store.ts'

/** A check that is about to run. If its note cannot be written, its processes are treated as all others. */
interface RunningCheck {
  readonly started: (processId: number) => void
  readonly ended: () => void
}

/** @param stateHome where programs keep their state; ours lies in a folder of it, which an agent is not to write to */
export function runningCheck(stateHome: string): RunningCheck {
  const folder = checkNotesFolder(stateHome)
  const note = join(folder, randomBytes(16).toString('hex'))
  return {
    started: (processId) =>
      quietly(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        removeStaleNotes(stateHome)
        writeFileSync(note, JSON.stringify(holderOf(processId, 'a check')), { mode: 0o600 })
      }),
    ended: () => quietly(() => rmSync(note, { force: true })),
  }
}

/** Whether a check that still runs has started this process: its note names one of the ancestors. Never throws. */
export function isWithinCheck(stateHome: string, machine: ProcessView = thisMachine): boolean {
  const checks = notesIn(stateHome)
    .flatMap(({ check }) => check ?? [])
    .filter((check) => isOfOneProcess(check) && isAlive(check) === 'alive')
  if (checks.length === 0) return false
  const ancestors = new Set(machine.ancestors()?.map(({ processId }) => processId))
  return checks.some(({ processId }) => ancestors.has(processId))
}

/** The first process is everybody's ancestor, and a number alone is somebody else's later. */
function isOfOneProcess({ processId, processStart }: ProcessHolder): boolean {
  return processId > 1 && (processStart !== null || process.platform !== 'linux')
}

/** A donecheck that was killed has left its notes. */
function removeStaleNotes(stateHome: string): void {
  for (const { note, check } of notesIn(stateHome))
    if (check !== undefined && isAlive(check) === 'dead') rmSync(note, { force: true })
}

function notesIn(stateHome: string): readonly { note: string; check: ProcessHolder | undefined }[] {
  const notes = listCheckNotes(stateHome).map((name) => join(checkNotesFolder(stateHome), name))
  return notes.map((note) => ({ note, check: readNote(note) }))
}

function readNote(note: string): ProcessHolder | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(note, 'utf8'))
    return isHolder(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isHolder(read: unknown): read is ProcessHolder {
  if (typeof read !== 'object' || read === null) return false
  const { host, processId, processStart }: Partial<Record<keyof ProcessHolder, unknown>> = read
  const isStart = processStart === null || typeof processStart === 'string'
  return typeof host === 'string' && typeof processId === 'number' && isStart
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // A state folder that cannot be written to is told by whoever keeps records in it.
  }
}
