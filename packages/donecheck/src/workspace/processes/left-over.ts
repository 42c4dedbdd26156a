import { setTimeout as pause } from 'node:timers/promises'
import { livingGroups, processMark } from '../../process/index.ts'
import {
  commandLineOf,
  environmentOf,
  folderOf,
  isListening,
  runningProcesses,
  startedAtMs,
  type RunningProcess,
} from './process-table.ts'

export interface LeftOver {
  readonly id: number
  readonly command: string
}

export interface LeftOverProcesses {
  /** Ours: they carry our mark, and what started them has ended. */
  readonly marked: readonly LeftOver[]
  /**
   * Perhaps ours: they started during the run. They listen, and stand in the work folder or belong to nobody any more;
   * or they do both of the latter.
   */
  readonly suspects: readonly LeftOver[]
}

/** Undefined where the system does not tell. */
export function leftOverProcesses(workFolder: string, sinceMs: number): LeftOverProcesses | undefined {
  const table = runningProcesses()
  if (table === undefined) return undefined
  const inUse = inUseIn(table)
  const others = table.filter(({ id }) => !inUse.has(id))
  const marked = others.filter(isMarked)
  // Who takes in what others left is the first process, or one that this one comes from.
  const takers = new Set([1, ...lineOf(process.pid, parentsIn(table)).slice(1)])
  const suspects = others.filter((running) => {
    if (marked.includes(running) || startedAtMs(running) <= sinceMs) return false
    const isHere = isInside(folderOf(running.id), workFolder)
    if (isHere && takers.has(running.parentId)) return true
    return (isHere || running.parentId === 1) && isListening(running.id)
  })
  return { marked: marked.map(shown), suspects: suspects.map(shown) }
}

/** This process and what it comes from, and whatever belongs to a command that still runs. */
function inUseIn(table: readonly RunningProcess[]): ReadonlySet<number> {
  const parents = parentsIn(table)
  const groups = livingGroups()
  const members = new Set(table.filter(({ groupId }) => groups.includes(groupId)).map(({ id }) => id))
  const descendants = table.filter(({ id }) => lineOf(id, parents).some((ancestor) => members.has(ancestor)))
  return new Set([...lineOf(process.pid, parents), ...descendants.map(({ id }) => id)])
}

function parentsIn(table: readonly RunningProcess[]): ReadonlyMap<number, number> {
  return new Map(table.map(({ id, parentId }) => [id, parentId]))
}

/** The process itself, its parent, and so on. */
function lineOf(id: number, parents: ReadonlyMap<number, number>): readonly number[] {
  const line: number[] = []
  for (
    let next: number | undefined = id;
    next !== undefined && !line.includes(next);
    next = parents.get(next)
  )
    line.push(next)
  return line
}

function isMarked({ id }: RunningProcess): boolean {
  return environmentOf(id).includes(`${processMark.name}=${processMark.value}`)
}

function isInside(folder: string | undefined, workFolder: string): boolean {
  return folder === workFolder || (folder?.startsWith(`${workFolder}/`) ?? false)
}

function shown({ id }: RunningProcess): LeftOver {
  return { id, command: commandLineOf(id) }
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 1_000
const lookEveryMs = 20
/** They may start others while they are ended: so often is looked again. */
const rounds = 5

/** Ends every marked process that nobody uses any more. False: one of them is still there. Never rejects. */
export async function endLeftOvers(workFolder: string): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    if (signalAll(workFolder, round === 0 ? 'SIGTERM' : 'SIGKILL') === 0) return true
    for (let waitedMs = 0; waitedMs < graceMs; waitedMs += lookEveryMs) {
      await pause(lookEveryMs)
      if (signalAll(workFolder, 0) === 0) return true
    }
  }
  return signalAll(workFolder, 0) === 0
}

/** The number of them. The table is read anew each time: an id may have gone to another process meanwhile. */
function signalAll(workFolder: string, signal: NodeJS.Signals | 0): number {
  const found = leftOverProcesses(workFolder, Number.POSITIVE_INFINITY)?.marked ?? []
  for (const { id } of found) {
    try {
      process.kill(id, signal)
    } catch {
      // It ended by itself, or belongs to another user: the next look tells.
    }
  }
  return found.length
}
