/** Who we are to other processes, and whether another holder still lives. Only this machine can be looked at. */
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessHolder } from '../../ports/store.ts'
import { codeOf } from '../../base/index.ts'
import { readProcess } from './linux-processes.ts'

/** The first process id namespace of every Linux: outside any container. */
const initialProcessNamespace = 'pid:[4026531836]'

export function thisHolder(purpose: string): ProcessHolder {
  return holderOf(process.pid, purpose)
}

/** Of a process on this machine that still runs. */
export function holderOf(processId: number, purpose: string): ProcessHolder {
  return { host: thisHost(), processId, processStart: startOf(processId), purpose }
}

/** `unknown` where it cannot be known: then only the end of its lease frees what it holds. */
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

/** Process ids mean nothing in another namespace, even under the same host name: there it is another host. */
function thisHost(): string {
  const namespace = processNamespace()
  return namespace === undefined || namespace === initialProcessNamespace
    ? hostname()
    : `${hostname()} ${namespace}`
}

function processNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
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

/** Null on systems without `/proc`, and where it is hidden from us. */
function startOf(processId: number): string | null {
  const stat = readProcess(processId)
  return stat === undefined ? null : String(stat.startTicks)
}
