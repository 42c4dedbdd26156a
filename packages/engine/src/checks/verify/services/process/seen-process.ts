/** Processes as `/proc` of Linux tells them. A tick is the kernel's unit of time since the machine was started. */
import { statSync } from 'node:fs'
import {
  isThread,
  processTable,
  programOfProcess,
  readProcess,
  systemTicks,
  ticksPerSecond,
  type ProcessStat,
} from '../../../../system/process/index.ts'
import { connect } from 'node:net'

export interface SeenProcess {
  readonly pid: number
  /** When it started. With the id it is the name of a process that is never used again until the next start of the machine. */
  readonly startTicks: number
  /** It has ended, and its parent has not asked for its end yet. */
  readonly isZombie: boolean
  /** File name of its program, where we may see it: a process can call itself anything. */
  readonly program: string
  /** It started after the file with its id was written. */
  readonly isYoungerThanFile: boolean
}

/** A clock that is set, and times that are rounded. */
const toleranceTicks = 2 * ticksPerSecond

/** Undefined: there is no such process. @param pidFile where its id was written down */
export function processNow(pid: number, pidFile?: string): SeenProcess | undefined {
  const stat = readProcess(pid)
  if (stat === undefined || isThread(pid)) return undefined
  const writtenTicks = pidFile === undefined ? undefined : readTicks(pidFile)
  const isYoungerThanFile = writtenTicks !== undefined && stat.startTicks > writtenTicks + toleranceTicks
  return { ...seenProcessOf(stat), isYoungerThanFile }
}

/** Other processes than this one whose program has that file name. */
export function processesNamed(name: string): readonly SeenProcess[] {
  const others = (processTable() ?? []).filter(({ id }) => id !== process.pid)
  return others.map(seenProcessOf).filter(({ program }) => program === name)
}

function seenProcessOf(stat: ProcessStat): SeenProcess {
  const { id, startTicks, ended } = stat
  const program = programOfProcess(stat)
  return { pid: id, startTicks, isZombie: ended, program, isYoungerThanFile: false }
}

/** When a file was written last, on the kernel's scale. */
function readTicks(file: string): number | undefined {
  const [now, stats] = [systemTicks(), statSync(file, { throwIfNoEntry: false })]
  if (now === undefined || stats === undefined) return undefined
  return now - ((Date.now() - stats.mtimeMs) / 1000) * ticksPerSecond
}

export type Listening =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly problem: string }

/** Nothing was asked of whoever takes the connection; it is closed at once. */
export async function isListening(port: number, signal: AbortSignal): Promise<Listening> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => tryAddress(address, port, signal)))
  const listening = answers.find(({ kind }) => kind === 'listening')
  return listening ?? answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'nobody' }
}

/** Nobody can listen on an address that this machine does not have. */
const nobodyCodes = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH']

function tryAddress(address: string, port: number, signal: AbortSignal): Promise<Listening> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal })
    socket.once('connect', () => {
      resolve({ kind: 'listening', address })
      socket.destroy()
    })
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      resolve(nobodyCodes.includes(code) ? { kind: 'nobody' } : { kind: 'unknown', problem: error.message })
    })
  })
}
