import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseProcessStat } from './processes.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let folder = ''

eachInFolder((made) => {
  folder = made
})

const hasProc = existsSync('/proc/self/stat')

function processIn(file: string): number {
  return Number(readFileSync(join(folder, file), 'utf8'))
}

function isDead(processId: number): boolean {
  try {
    return parseProcessStat(readFileSync(`/proc/${processId}/stat`, 'utf8'))?.ended !== false
  } catch {
    return true
  }
}

describe('given a process that is killed while what it runs is at work', () => {
  it.skipIf(!hasProc)('takes all of it along (needs /proc to look)', async () => {
    const program = fileURLToPath(new URL('fixtures/run-until-killed.ts', import.meta.url))
    const runner = spawn(process.execPath, [program, folder], { stdio: 'ignore' })
    const ended = once(runner, 'exit')
    while (!['ready', 'watched'].every((file) => existsSync(join(folder, file)))) await turn()
    const started = [processIn('leader'), processIn('child')]
    expect(started.map(isDead)).toEqual([false, false])
    runner.kill('SIGKILL')
    await ended
    while (!started.every(isDead)) await turn()
  })
})
