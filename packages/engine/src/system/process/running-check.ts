/**
 * Notes of the checks that run right now, so that the processes of a check can be told from all others. Nothing in the
 * environment of a check says so: a product could read it there, and behave well only while it is checked.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNotesFolder, listCheckNotes } from './check-notes.ts'
import { holderOf, isAlive, readProcess } from './processes.ts'
import type { ProcessHolder } from '../../ports/store.ts'

/** A check that is about to run. If its note cannot be written, its processes are treated as all others. */
interface RunningCheck {
  readonly started: (processId: number) => void
  readonly ended: () => void
}

/** @param stateHome where programs keep their state; an agent must not be able to write to our folder in it */
export function runningCheck(stateHome: string): RunningCheck {
  const folder = checkNotesFolder(stateHome)
  let note: string | undefined
  return {
    started: (processId) =>
      quietly(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        for (const name of listCheckNotes(stateHome))
          if (isAlive(parseNote(name)) === 'dead') rmSync(join(folder, name), { force: true })
        note = join(folder, formatNote(holderOf(processId, 'a check')))
        writeFileSync(note, '', { mode: 0o600 })
      }),
    ended: () => quietly(() => note !== undefined && rmSync(note, { force: true })),
  }
}

/** Whether a check that still runs has started this process: its note names one of the ancestors. Never throws. */
export function isWithinCheck(stateHome: string, ancestors = ancestorIds): boolean {
  const checks = listCheckNotes(stateHome)
    .map(parseNote)
    .filter((check) => isOfOneProcess(check) && isAlive(check) === 'alive')
  if (checks.length === 0) return false
  const ids = ancestors()
  return checks.some(({ processId }) => ids.includes(processId))
}

/** The first process is everybody's ancestor, and without its start an id may belong to a later process. */
function isOfOneProcess({ processId, processStart }: ProcessHolder): boolean {
  return processId > 1 && (processStart !== null || process.platform !== 'linux')
}

/** The name of a note is all that it says. */
function formatNote({ processId, processStart, host }: ProcessHolder): string {
  return `${processId} ${processStart ?? '-'} ${host}`
}

function parseNote(name: string): ProcessHolder {
  const [id, start = '-', ...host] = name.split(' ')
  return {
    processId: Number(id),
    processStart: start === '-' ? null : start,
    host: host.join(' '),
    purpose: 'a check',
  }
}

/** A machine that takes longer is too busy to be asked. */
const psTimeoutMs = 2000

/** From the parent of this process up. Linux tells it itself; elsewhere `ps` is asked. */
function ancestorIds(): readonly number[] {
  const parentOf = process.platform === 'linux' ? (id: number) => readProcess(id)?.parentId : parentsByPs()
  const ids: number[] = []
  for (let id: number | undefined = process.ppid; id !== undefined && id > 0; id = parentOf(id)) {
    if (ids.includes(id)) break
    ids.push(id)
  }
  return ids
}

function parentsByPs(): (id: number) => number | undefined {
  const { error, stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    timeout: psTimeoutMs,
  })
  const table = error === undefined ? stdout : ''
  const rows = [...table.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)]
  const parents = new Map(rows.map(([, id, parent]) => [Number(id), Number(parent)]))
  return (id) => parents.get(id)
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // A state folder that cannot be written to is reported by whoever keeps records in it.
  }
}
