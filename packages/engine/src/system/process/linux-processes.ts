/** The one reader of `/proc`. Elsewhere than on Linux, and of processes of somebody else, it says nothing. Never throws. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** What we need of Linux's `/proc/PID/stat`. */
export interface ProcessStat {
  readonly id: number
  /** What it calls itself. */
  readonly name: string
  /** It has ended, and its parent has not asked how: it will never do anything again. */
  readonly ended: boolean
  /** 0: it has none, or none that can be seen from here. */
  readonly parentId: number
  readonly groupId: number
  readonly sessionId: number
  /** It belongs to a terminal, whatever it reads from. */
  readonly hasTerminal: boolean
  /** When it started, in clock ticks since the machine did. With the id it names a process for ever. */
  readonly startTicks: number
}

/** Linux counts in hundredths of a second for all programs, whatever it does inside. */
export const ticksPerSecond = 100

/** All that there are, ended ones too. Undefined where the system has no such table. */
export function processTable(): readonly ProcessStat[] | undefined {
  const entries = namesIn('/proc')
  if (!entries.includes('self')) return undefined
  const ids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  return ids.flatMap((id) => readProcess(id) ?? [])
}

/** Undefined: there is none. */
export function readProcess(id: number | 'self'): ProcessStat | undefined {
  return parseProcessStat(readText(`/proc/${id}/stat`))
}

/**
 * The second field is the program's name in parentheses and may hold spaces, line ends and parentheses itself: the
 * numbers begin after the last closing one. Undefined for a text of another shape.
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')')
  // The state is field 3, counted from 1, and the start is field 22.
  const [state = '', ...numbers] = text
    .slice(nameEnd + 1)
    .trim()
    .split(/\s+/)
  const [parentId, groupId, sessionId, terminal] = numbers.map(Number)
  const [id, startTicks] = [Number.parseInt(text, 10), Number(numbers[18])]
  if (nameEnd === -1 || !/^[A-Za-z]$/.test(state)) return undefined
  if (parentId === undefined || groupId === undefined || sessionId === undefined) return undefined
  if (![id, parentId, groupId, sessionId, terminal, startTicks].every(Number.isInteger)) return undefined
  const name = text.slice(text.indexOf('(') + 1, nameEnd)
  const ended = ['Z', 'X', 'x'].includes(state)
  return { id, name, ended, parentId, groupId, sessionId, hasTerminal: terminal !== 0, startTicks }
}

/** A thread has an entry of its own, which no list shows. */
export function isThread(id: number): boolean {
  return !new RegExp(`^Tgid:\\s*${id}$`, 'm').test(readText(`/proc/${id}/status`))
}

/**
 * Ticks since the machine was started. Some containers show their own uptime beside the start times of the machine: then
 * the start of this process tells.
 */
export function systemTicks(): number | undefined {
  const ticks = Math.floor(Number.parseFloat(readText('/proc/uptime')) * ticksPerSecond)
  const started = readProcess('self')?.startTicks
  if (started === undefined || !Number.isFinite(ticks)) return undefined
  return ticks >= started ? ticks : started + Math.floor(process.uptime() * ticksPerSecond)
}

/** The words that it was started with, or calls itself since; none for a process of the kernel. */
export function wordsOfProcess(id: number): readonly string[] {
  return readText(`/proc/${id}/cmdline`).replace(/\0$/, '').split('\0')
}

/** `NAME=value`, as it was started. */
export function environmentOfProcess(id: number): readonly string[] {
  return readText(`/proc/${id}/environ`).split('\0')
}

/** The hard limit of a resource, by its name in `/proc/PID/limits`. Null: unlimited. Undefined: nobody can say. */
export function hardLimitOf(id: number | 'self', resource: string): number | null | undefined {
  const line = readText(`/proc/${id}/limits`)
    .split('\n')
    .find((row) => row.startsWith(`${resource} `))
  const hard = line?.slice(resource.length).trim().split(/\s+/)[1]
  if (hard === undefined) return undefined
  return hard === 'unlimited' ? null : Number(hard)
}

/** File name of the program that it runs. */
export function programOfProcess({ id, name }: ProcessStat): string {
  const program = linkOf(`/proc/${id}/exe`)
  return program === undefined ? name : basename(program.replace(/ \(deleted\)$/, ''))
}

/** Its folder and its program. */
export function placesOfProcess(id: number): readonly string[] {
  return ['cwd', 'exe'].flatMap((name) => linkOf(`/proc/${id}/${name}`) ?? [])
}

/** Where its descriptors lead: paths, and names such as `socket:[12]`. */
export function openFilesOf(id: number): readonly string[] {
  return namesIn(`/proc/${id}/fd`).flatMap((name) => linkOf(`/proc/${id}/fd/${name}`) ?? [])
}

/** Where one of them leads. Undefined: there is none, or nobody may say. */
export function openFileOf(id: number, descriptor: number): string | undefined {
  return linkOf(`/proc/${id}/fd/${descriptor}`)
}

/** A table of sockets, as this process sees the network. */
export function socketTableOf(id: number, table: 'tcp' | 'tcp6' | 'unix'): string {
  return readText(`/proc/${id}/net/${table}`)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
