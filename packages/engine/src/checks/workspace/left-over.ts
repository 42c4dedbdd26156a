import { setTimeout as pause } from 'node:timers/promises'
import {
  isMarked,
  isOfSomeDonecheck,
  listeningPorts,
  livingGroups,
  openFilesOf,
  placesOfProcess,
  processTable,
  systemTicks,
  ticksPerSecond,
  wordsOfProcess,
  type ProcessStat,
} from '../../system/process/index.ts'
import { join } from 'node:path'
import type { RequestedProcess } from '../../ports/checks.ts'
import { readText } from './tree/tree-entry.ts'

/** A process that outlives the turn of the agent. */
export interface LeftOver {
  readonly id: number
  /** For people: its program and arguments, shortened. */
  readonly command: string
  /** It comes from what donecheck started, for sure: it may be ended. */
  readonly isMarked: boolean
  /** TCP ports. */
  readonly listensOn: readonly number[]
  /** It can answer for a check, and is nobody's that could be told: what checks say while it runs decides nothing. */
  readonly isInTheWay: boolean
  /** Half a sentence. */
  readonly why: string
}

/**
 * What outlives the agent's turn: all that is marked and that nothing of ours uses any more; and of the rest what was started
 * since, works in the folder and belongs to nobody: to no terminal, itself or through what started it, to no program that ran before, and to nothing of ours that still
 * runs. A daemon of a build tool talks over a local socket with the tool alone: only a port is in the way. Undefined where the
 * system does not tell.
 */
export function leftOverProcesses(workFolder: string, sinceMs: number): readonly LeftOver[] | undefined {
  const table = processTable()?.filter(({ ended }) => !ended)
  if (table === undefined) return undefined
  const { isInUse, isNobodys } = kinshipOf(table, ticksAt(sinceMs))
  return table.flatMap((running): readonly LeftOver[] => {
    if (isInUse(running)) return []
    const { id } = running
    if (isMarked(id)) return [leftOver(id, 'ours')]
    if (!isNobodys(running) || !worksIn(workFolder, id)) return []
    return [leftOver(id, isOfSomeDonecheck(id) ? 'earlier' : 'unmarked')]
  })
}

const reasons = {
  ours: 'what donecheck started has left it behind',
  earlier: 'what an earlier donecheck started here has left it behind',
  unmarked:
    'it was started during the run, works in the folder, and belongs to no terminal and no other program',
} as const

function leftOver(id: number, origin: keyof typeof reasons): LeftOver {
  const command = wordsOfProcess(id).join(' ').trim().slice(0, 120)
  const isMarked = origin !== 'unmarked'
  const listensOn = listeningPorts(id)
  return {
    id,
    command,
    isMarked,
    listensOn,
    isInTheWay: !isMarked && listensOn.length > 0,
    why: reasons[origin],
  }
}

function kinshipOf(table: readonly ProcessStat[], sinceTicks: number) {
  const byId = new Map(table.map((running) => [running.id, running]))
  const line = (running: ProcessStat) => lineOf(running, byId)
  const self = byId.get(process.pid)
  const own = new Set(self === undefined ? [] : line(self).map(({ id }) => id))
  const groups = livingGroups()
  // A terminal of its own, as tmux is, is at those that it hands out.
  const terminals = new Set(table.flatMap(({ hasTerminal, parentId }) => (hasTerminal ? [parentId] : [])))
  const isAtTerminal = ({ id, hasTerminal }: ProcessStat) => hasTerminal || terminals.has(id)
  /** This process and what it comes from, and whatever belongs to a command that still runs. */
  const isInUse = (running: ProcessStat) =>
    own.has(running.id) || line(running).some(({ groupId }) => groups.includes(groupId))
  const isNobodys = (running: ProcessStat) => {
    const up = line(running)
    const index = up.findIndex(({ id, startTicks }) => own.has(id) || startTicks < sinceTicks)
    const [eldest, parent] = [up[index - 1], up[index]]
    // Without a parent it has come in from outside of the container.
    if (eldest === undefined || parent === undefined) return false
    if (up.slice(0, index).some(isAtTerminal)) return false
    // The first process takes in what others left, and so may any that we come from; a shell among them has jobs of its own.
    const takesIn = parent.id === 1 || (own.has(parent.id) && parent.id !== process.pid)
    return takesIn && parent.sessionId !== eldest.sessionId
  }
  return { isInUse, isNobodys }
}

/** The process itself, its parent, and so on. */
function lineOf(running: ProcessStat, byId: ReadonlyMap<number, ProcessStat>): readonly ProcessStat[] {
  const line: ProcessStat[] = []
  for (
    let next: ProcessStat | undefined = running;
    next !== undefined && !line.includes(next);
    next = byId.get(next.parentId)
  )
    line.push(next)
  return line
}

/** On the kernel's scale. */
function ticksAt(timeMs: number): number {
  return (systemTicks() ?? 0) - ((Date.now() - timeMs) / 1_000) * ticksPerSecond
}

/** It stands there, runs a program or has files there, or was started with a path of there. */
function worksIn(workFolder: string, id: number): boolean {
  const isInside = (path: string) => path === workFolder || path.startsWith(`${workFolder}/`)
  return [placesOfProcess(id), wordsOfProcess(id), openFilesOf(id)].some((paths) => paths.some(isInside))
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 1_000
const lookEveryMs = 20
/** They may start others while they are ended: so often is looked again. */
const rounds = 5

/** Ends what is marked. False: one of them is still there. Never rejects. @param find looks again each time: an id may have gone to another process meanwhile */
export async function endLeftOvers(find: () => readonly LeftOver[]): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    if (signalAll(find(), round === 0 ? 'SIGTERM' : 'SIGKILL') === 0) return true
    for (let waitedMs = 0; waitedMs < graceMs; waitedMs += lookEveryMs) {
      await pause(lookEveryMs)
      if (signalAll(find(), 0) === 0) return true
    }
  }
  return signalAll(find(), 0) === 0
}

/** The number of them. */
function signalAll(found: readonly LeftOver[], signal: NodeJS.Signals | 0): number {
  const marked = found.filter((one) => one.isMarked)
  for (const { id } of marked) {
    try {
      process.kill(id, signal)
    } catch {
      // It ended by itself, or belongs to another user: the next look tells.
    }
  }
  return marked.length
}

/** Whether a check asks exactly this process: then it is meant to run on, whoever has started it. */
export function isAsked(
  { id, listensOn }: LeftOver,
  asked: readonly RequestedProcess[],
  workFolder: string,
): boolean {
  return asked.some((target) => {
    if ('port' in target) return listensOn.includes(target.port)
    return String(id) === readText(join(workFolder, target.pidFile)).trim()
  })
}
