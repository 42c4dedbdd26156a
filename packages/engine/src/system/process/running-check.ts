/**
 * Notes of the checks that run right now. A process whose variable names one, and that such a check has really started, works
 * for a check. The variable alone proves nothing: whoever can set it is perhaps the one who is to be held.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisMachine, type ProcessView } from './ancestors.ts'
import { holderOf, isAlive } from './holder.ts'
import type { ProcessHolder } from '../../ports/store.ts'

/** A check that is about to run. Where its note cannot be kept, nobody is known to work for it. */
export interface RunningCheck {
  /** What the variable holds. */
  readonly token: string
  readonly started: (processId: number) => void
  readonly ended: () => void
}

/** @param stateHome where programs keep their state; ours lies in a folder of it, which an agent is not to write to */
export function runningCheck(stateHome: string): RunningCheck {
  const folder = folderIn(stateHome)
  const token = randomBytes(16).toString('hex')
  const note = join(folder, token)
  return {
    token,
    started: (processId) =>
      quietly(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        removeStale(folder)
        writeFileSync(note, JSON.stringify(holderOf(processId, 'a check')), { mode: 0o600 })
      }),
    ended: () => quietly(() => rmSync(note, { force: true })),
  }
}

/** Whether this process was started by a check that still runs: the note names one of its ancestors. Never throws. */
export function isWithinCheck(token: string, stateHome: string, machine: ProcessView = thisMachine): boolean {
  if (!/^[0-9a-f]{32}$/.test(token)) return false
  const check = readNote(join(folderIn(stateHome), token))
  if (check === undefined || !isOfOneProcess(check) || isAlive(check) !== 'alive') return false
  return machine.ancestors()?.some(({ processId }) => processId === check.processId) === true
}

/** The first process is everybody's ancestor, and a number alone is somebody else's later. */
function isOfOneProcess({ processId, processStart }: ProcessHolder): boolean {
  return processId > 1 && (processStart !== null || process.platform !== 'linux')
}

function folderIn(stateHome: string): string {
  return join(stateHome, 'donecheck', 'running-checks')
}

/** Whoever was killed has left its notes behind. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const note = join(folder, name)
    const check = readNote(note)
    if (check !== undefined && isAlive(check) === 'dead') rmSync(note, { force: true })
  }
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
