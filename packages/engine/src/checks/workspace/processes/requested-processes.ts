import { join } from 'node:path'
import type { RequestedProcess } from '../../../ports/checks.ts'
import { programOfProcess, readProcess } from '../../../system/process/index.ts'
import { readText } from '../tree/existing-files.ts'
import type { LeftOver } from './left-over.ts'

/** Whether a check asks exactly this process: then it is meant to run on, whoever has started it. */
export function isAsked(
  { id, listensOn }: LeftOver,
  asked: readonly RequestedProcess[],
  workFolder: string,
): boolean {
  return asked.some((target) => {
    if ('port' in target) return listensOn.some((address) => address.endsWith(`:${target.port}`))
    if ('pid' in target) return id === target.pid
    if ('pidFile' in target) return String(id) === readText(join(workFolder, target.pidFile)).trim()
    const stat = readProcess(id)
    return stat !== undefined && programOfProcess(stat) === target.processName
  })
}
