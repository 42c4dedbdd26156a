/** Notes of running checks. Not in the environment, where a product could notice that it is checked. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNotesFolder, listCheckNotes } from './check-notes.ts'
import { holderOf, isAlive, readProcess } from './processes.ts'
import type { ProcessHolder } from '../../ports/store.ts'

interface RunningCheck {
  readonly started: (processId: number) => void
  readonly ended: () => void
}

/** @param stateHome must not be writable for an agent */
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

/** Whether a running check started this process: its note names an ancestor. Never throws. */
export function isWithinCheck(stateHome: string, ancestors = ancestorIds): boolean {
  const checks = listCheckNotes(stateHome)
    .map(parseNote)
    .filter((check) => isOfOneProcess(check) && isAlive(check) === 'alive')
  if (checks.length === 0) return false
  const ids = ancestors()
  return checks.some(({ processId }) => ids.includes(processId))
}

/** Process 1 is everyone's ancestor, and ids without a start time may be reused. */
function isOfOneProcess({ processId, processStart }: ProcessHolder): boolean {
  return processId > 1 && (processStart !== null || process.platform !== 'linux')
}

/** A note has no content, only its name. */
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

/** Milliseconds; a slower machine is too busy. */
const psTimeoutMs = 2000

/** From the parent up. Linux uses `/proc`, other systems `ps`. */
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
    // The store reports an unwritable state folder.
  }
}
