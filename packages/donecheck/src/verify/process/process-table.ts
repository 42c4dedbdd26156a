/** Processes as `/proc` of Linux tells them. A tick is the kernel's unit of time since the machine was started. */
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'

export interface SeenProcess {
  readonly pid: number
  /** When it started. With the id it is the name of a process that is never used again until the next start of the machine. */
  readonly startTicks: number
  /** It has ended, and its parent has not asked for its end yet. */
  readonly isZombie: boolean
  /** File name of its program. */
  readonly program: string
  /** It started after the file with its id was written. */
  readonly isYoungerThanFile: boolean
}

/** Linux counts in hundredths of a second for all programs, whatever it does inside. */
const ticksPerSecond = 100
/** A clock that is set, and times that are rounded. */
const toleranceTicks = 2 * ticksPerSecond

/**
 * Now; undefined on a system without `/proc`. Some containers show their own uptime beside the start times of the machine:
 * then the start of this process tells.
 */
export async function systemTicks(): Promise<number | undefined> {
  const [uptime, own] = await Promise.all(
    ['/proc/uptime', '/proc/self/stat'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const ticks = Math.floor(Number.parseFloat(uptime ?? '') * ticksPerSecond)
  const startTicks = readStat(own ?? '')?.startTicks
  if (startTicks === undefined || !Number.isFinite(ticks)) return undefined
  return ticks >= startTicks ? ticks : startTicks + Math.floor(process.uptime() * ticksPerSecond)
}

/** Undefined: there is no such process. @param pidFile where its id was written down */
export async function processNow(pid: number, pidFile?: string): Promise<SeenProcess | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const stats = text === undefined ? undefined : readStat(text)
  // A thread has an entry of its own, which no list shows.
  if (stats === undefined || !(await isLeader(pid))) return undefined
  const { state, startTicks, command } = stats
  const writtenTicks = pidFile === undefined ? undefined : await ticksOf(pidFile)
  return {
    pid,
    startTicks,
    isZombie: state === 'Z' || state === 'X' || state === 'x',
    program: await programOf(pid, command),
    isYoungerThanFile: writtenTicks !== undefined && startTicks > writtenTicks + toleranceTicks,
  }
}

/** Other processes than this one whose program has that file name. */
export async function processesNamed(name: string): Promise<readonly SeenProcess[]> {
  const entries = await readdir('/proc')
  const pids = entries.filter((entry) => /^\d+$/u.test(entry) && Number(entry) !== process.pid)
  const found: SeenProcess[] = []
  for (const pid of pids) {
    const seen = await processNow(Number(pid))
    if (seen?.program === name) found.push(seen)
  }
  return found
}

interface Stat {
  readonly command: string
  readonly state: string
  readonly startTicks: number
}

/** The name stands in parentheses and may hold anything, parentheses too: what follows the last one is fields. */
export function readStat(text: string): Stat | undefined {
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const [state = ''] = fields
  const startTicks = Number(fields[19])
  if (end < 0 || !/^[A-Za-z]$/u.test(state) || !Number.isInteger(startTicks) || startTicks < 0)
    return undefined
  return { command: text.slice(text.indexOf('(') + 1, end), state, startTicks }
}

async function isLeader(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return new RegExp(`^Tgid:\\s*${pid}$`, 'mu').test(status)
}

/** The program itself where we may see it: a process can call itself anything. */
async function programOf(pid: number, command: string): Promise<string> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => undefined)
  return program === undefined ? command : basename(program.replace(/ \(deleted\)$/u, ''))
}

/** When a file was written last, on the kernel's scale. */
async function ticksOf(file: string): Promise<number | undefined> {
  const now = await systemTicks()
  const stats = await stat(file).catch(() => undefined)
  if (now === undefined || stats === undefined) return undefined
  return now - ((Date.now() - stats.mtimeMs) / 1000) * ticksPerSecond
}
