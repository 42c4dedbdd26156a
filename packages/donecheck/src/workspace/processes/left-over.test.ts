import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { runProcess } from '../../process/index.ts'
import { never, newFolder, removeFolders } from '../fixtures/work-tree.ts'
import { endLeftOvers, leftOverProcesses } from './left-over.ts'
import { parseStat, runningProcesses } from './process-table.ts'

const hasTable = runningProcesses() !== undefined
const started: ChildProcess[] = []

afterEach(async () => {
  await endLeftOvers('/')
  for (const child of started.splice(0)) child.kill('SIGKILL')
  removeFolders()
})

/** Runs a line as the commands of a drive are run. */
function run(folder: string, line: string, timeoutMs = 30_000, signal = never) {
  const environment = { PATH: process.env['PATH'] ?? '' }
  const bounds = { headBytes: 1_000, tailBytes: 1_000, keepBytes: 0 }
  return runProcess({ command: { shell: line }, folder, environment, timeoutMs, signal, ...bounds })
}

const daemon = `setsid sh -c 'trap "" TERM; echo $$ > id; while :; do sleep 1; done' >/dev/null 2>&1 & until [ -s id ]; do :; done`
const idIn = (folder: string) => Number(readFileSync(join(folder, 'id'), 'utf8'))
const marked = () => leftOverProcesses('/nowhere', 0)?.marked ?? []

describe.skipIf(!hasTable)('given a command that left its group (needs the process table of Linux)', () => {
  it('finds what it left behind, and ends it although it does not want to', async () => {
    const folder = newFolder()
    await run(folder, daemon)
    expect(marked().map(({ id }) => id)).toContain(idIn(folder))
    expect(await endLeftOvers(folder)).toBe(true)
    expect(marked()).toEqual([])
    expect(runningProcesses()?.some(({ id }) => id === idIn(folder))).toBe(false)
  })

  it('leaves a command alone that still runs, with all that it started', async () => {
    const folder = newFolder()
    const stop = new AbortController()
    const ended = run(folder, `${daemon}; while :; do sleep 1; done`, 30_000, stop.signal)
    while (!existsSync(join(folder, 'id')) || readFileSync(join(folder, 'id'), 'utf8') === '')
      await new Promise(setImmediate)
    expect(marked()).toEqual([])
    stop.abort()
    await ended
    expect(marked().map(({ id }) => id)).toContain(idIn(folder))
  })

  it('has nothing to end after a command that left nothing', async () => {
    await run(newFolder(), 'true')
    expect(await endLeftOvers('/nowhere')).toBe(true)
  })
})

describe.skipIf(!hasTable)('given a process without our mark (needs the process table of Linux)', () => {
  const server = `require('node:net').createServer().listen(0, '127.0.0.1', () => console.log('up'))`
  async function startIn(folder: string, program: string): Promise<number> {
    const child = spawn(process.execPath, ['-e', `${program}; setInterval(() => {}, 1000)`], {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    started.push(child)
    await once(child.stdout, 'data')
    return child.pid ?? 0
  }

  /** Other programs of this machine may be suspects too. */
  const suspectsIn = (folder: string, sinceMs = 0) =>
    leftOverProcesses(folder, sinceMs)?.suspects.map(({ id }) => id)

  it('suspects one that listens in the work folder', async () => {
    const folder = newFolder()
    const id = await startIn(folder, server)
    expect(suspectsIn(folder)).toContain(id)
    expect(await endLeftOvers(folder)).toBe(true)
    expect(suspectsIn(folder)).toContain(id)
  })

  it('suspects one in the work folder that belongs to nobody any more, though it does not listen', async () => {
    const [folder, other] = [newFolder(), newFolder()]
    const line = `echo $$ > id; exec sleep 30`
    for (const place of [folder, other]) {
      const program = `setsid sh -c '${line}' >/dev/null 2>&1 & until [ -s id ]; do :; done`
      execFileSync('sh', ['-c', program], { cwd: place, env: { PATH: process.env['PATH'] } })
    }
    const [id, elsewhere] = [idIn(folder), idIn(other)]
    const suspects = suspectsIn(folder)
    for (const one of [id, elsewhere]) process.kill(one, 'SIGKILL')
    expect(suspects).toContain(id)
    expect(suspects).not.toContain(elsewhere)
  })

  it('suspects none that is older, stands elsewhere, or does not listen', async () => {
    const [folder, other] = [newFolder(), newFolder()]
    const silent = await startIn(folder, `console.log('up')`)
    const elsewhere = await startIn(other, server)
    expect(suspectsIn(folder)).not.toContain(silent)
    expect(suspectsIn(folder)).not.toContain(elsewhere)
    expect(suspectsIn(other, Date.now() + 3_600_000)).not.toContain(elsewhere)
  })
})

describe('given a line of the process table', () => {
  it('is read whatever the program is called', () => {
    const name = fc.string({ unit: fc.constantFrom(')', '(', ' ', '\n', 'R', '1'), maxLength: 8 })
    fc.assert(
      fc.property(name, (program) => {
        const rest = Array.from({ length: 16 }, () => '0').join(' ')
        const line = `7 (${program}) S 3 5 ${rest} 99 0\n`
        expect(parseStat(line)).toEqual({ id: 7, parentId: 3, groupId: 5, startTicks: 99 })
      }),
    )
  })

  it.each(['', 'nonsense', '7 (x) Z 3 5', '7 (x) S 3'])('is nothing: "%s"', (line) => {
    expect(parseStat(line)).toBeUndefined()
  })
})
