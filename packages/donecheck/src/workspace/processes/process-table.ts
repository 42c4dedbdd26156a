import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** One running process, as Linux tells it. */
export interface RunningProcess {
  readonly id: number
  readonly parentId: number
  readonly groupId: number
  /** In clock ticks since the machine started. With the id it names a process for ever. */
  readonly startTicks: number
}

/** Clock ticks of a second: the same on every Linux that Node runs on. */
const ticksPerSecond = 100

/** All that run and have not ended. Undefined where the system has no such table. */
export function runningProcesses(): readonly RunningProcess[] | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => parseStat(readOrNothing(`/proc/${name}/stat`)) ?? [])
  } catch {
    return undefined
  }
}

/**
 * `ID (NAME) STATE PARENT GROUP …`: the name may hold anything, so the fields are counted from the last parenthesis.
 * Undefined for a process that has ended, and for a text of another shape.
 */
export function parseStat(text: string): RunningProcess | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/)
  const [state, parentId, groupId] = fields
  const found = {
    id: Number.parseInt(text, 10),
    parentId: Number(parentId),
    groupId: Number(groupId),
    startTicks: Number(fields[19]),
  }
  if (state === 'Z' || state === 'X' || !Object.values(found).every(Number.isInteger)) return undefined
  return found
}

/** When it started, in milliseconds since 1970, to about a second. */
export function startedAtMs({ startTicks }: RunningProcess): number {
  const machineSeconds = Number(/^btime (\d+)$/m.exec(readOrNothing('/proc/stat'))?.[1])
  return (machineSeconds + startTicks / ticksPerSecond) * 1_000
}

/** What it was started with; empty for a process of somebody else. */
export function environmentOf(id: number): readonly string[] {
  return readOrNothing(`/proc/${id}/environ`).split('\0')
}

/** For people: its program and arguments, shortened. */
export function commandLineOf(id: number): string {
  return readOrNothing(`/proc/${id}/cmdline`).split('\0').join(' ').trim().slice(0, 120)
}

/** Undefined for a process of somebody else. */
export function folderOf(id: number): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/cwd`)
  } catch {
    return undefined
  }
}

/** Whether others can connect to it over the network or a local socket. */
export function isListening(id: number): boolean {
  try {
    const sockets = readdirSync(`/proc/${id}/fd`).map((name) => linkOrNothing(`/proc/${id}/fd/${name}`))
    const own = new Set(sockets.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]).filter(Boolean))
    return own.size > 0 && listeningSockets(id).some((socket) => own.has(socket))
  } catch {
    return false
  }
}

/** State 0A is LISTEN; the tenth field is the socket's number. */
function listeningSockets(id: number): readonly string[] {
  const tables = ['tcp', 'tcp6'].map((name) => readOrNothing(`/proc/${id}/net/${name}`))
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
  return rows.filter((fields) => fields[3] === '0A').flatMap((fields) => fields[9] ?? [])
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function linkOrNothing(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
