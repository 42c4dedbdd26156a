/** The one reader of `/proc`. Elsewhere than on Linux, and of processes of somebody else, it says nothing. Never throws. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { parseProcessStat, type ProcessStat } from './process-stat.ts'

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
