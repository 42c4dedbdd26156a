/** Reads processes from `/proc`: empty or undefined on other systems and for other users. Never throws. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { codeOf } from '../../base/index.ts'
import type { ProcessHolder } from '../../ports/store.ts'

export interface ProcessStat {
  readonly id: number
  readonly name: string
  /** A zombie: it never does anything again. */
  readonly ended: boolean
  /** 0 if none is visible. */
  readonly parentId: number
  readonly groupId: number
  readonly sessionId: number
  /** Clock ticks since boot; unique with the id. */
  readonly startTicks: number
}

export function readProcess(id: number | 'self'): ProcessStat | undefined {
  return parseProcessStat(readText(`/proc/${id}/stat`))
}

/** The name may contain anything: numbers start after the last `)`. @returns undefined if malformed */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')')
  // The state is field 3, counted from 1, and the start is field 22.
  const [state = '', ...numbers] = text
    .slice(nameEnd + 1)
    .trim()
    .split(/\s+/)
  const [parentId, groupId, sessionId] = numbers.map(Number)
  const [id, startTicks] = [Number.parseInt(text, 10), Number(numbers[18])]
  if (nameEnd === -1 || !/^[A-Za-z]$/.test(state)) return undefined
  if (parentId === undefined || groupId === undefined || sessionId === undefined) return undefined
  if (![id, parentId, groupId, sessionId, startTicks].every(Number.isInteger)) return undefined
  const name = text.slice(text.indexOf('(') + 1, nameEnd)
  const ended = ['Z', 'X', 'x'].includes(state)
  return { id, name, ended, parentId, groupId, sessionId, startTicks }
}

export function programOfProcess({ id, name }: ProcessStat): string {
  const program = linkOf(`/proc/${id}/exe`)
  return program === undefined ? name : basename(program.replace(/ \(deleted\)$/, ''))
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

/** The initial Linux process namespace, outside any container. */
const initialProcessNamespace = 'pid:[4026531836]'

export function thisHolder(purpose: string): ProcessHolder {
  return holderOf(process.pid, purpose)
}

export function holderOf(processId: number, purpose: string): ProcessHolder {
  return { host: thisHost(), processId, processStart: startOf(processId), purpose }
}

/** `unknown`: only the end of its lease frees what it holds. */
export function isAlive(holder: ProcessHolder): 'alive' | 'dead' | 'unknown' {
  if (holder.host !== thisHost() || !Number.isSafeInteger(holder.processId) || holder.processId <= 0)
    return 'unknown'
  const existence = processExistence(holder.processId)
  if (existence !== 'exists') return existence
  const stat = readProcess(holder.processId)
  if (stat === undefined) return 'alive'
  if (stat.ended) return 'dead'
  return holder.processStart !== null && holder.processStart !== String(stat.startTicks) ? 'dead' : 'alive'
}

/** Process ids are local to a namespace, so each counts as a host. */
function thisHost(): string {
  const namespace = linkOf('/proc/self/ns/pid')
  return namespace === undefined || namespace === initialProcessNamespace
    ? hostname()
    : `${hostname()} ${namespace}`
}

function processExistence(processId: number): 'exists' | 'dead' | 'unknown' {
  try {
    process.kill(processId, 0)
    return 'exists'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EPERM') return 'exists'
    return code === 'ESRCH' ? 'dead' : 'unknown'
  }
}

function startOf(processId: number): string | null {
  const stat = readProcess(processId)
  return stat === undefined ? null : String(stat.startTicks)
}
