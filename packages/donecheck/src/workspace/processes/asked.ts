import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedProcess } from '../../ports.ts'
import { programOfProcess, readProcess } from '../../process/index.ts'
import type { LeftOver } from './left-over.ts'

/** Whether a check asks exactly this process: then it is meant to run on, whoever has started it. */
export function isAsked(
  { id, listensOn }: LeftOver,
  asked: readonly AskedProcess[],
  workFolder: string,
): boolean {
  return asked.some((target) => {
    if ('port' in target) return listensOn.some((address) => address.endsWith(`:${target.port}`))
    if ('pid' in target) return id === target.pid
    if ('pidFile' in target) return String(id) === textIn(join(workFolder, target.pidFile)).trim()
    const stat = readProcess(id)
    return stat !== undefined && programOfProcess(stat) === target.processName
  })
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
