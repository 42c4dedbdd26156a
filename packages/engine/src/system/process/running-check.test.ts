import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isWithinCheck, runningCheck } from './running-check.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let state = ''
const started: ChildProcess[] = []

eachInFolder((made) => {
  state = made
})

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const notes = () => join(state, 'donecheck', 'running-checks')

/** A check that runs until it is killed. */
function running() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  started.push(child)
  const { pid: processId = 0 } = child
  const check = runningCheck(state)
  check.started(processId)
  return { child, processId, check }
}

/** The ancestors of a process that these have started, the nearest first. */
const startedBy =
  (...ids: readonly number[]) =>
  () =>
    ids

describe('given a check that runs', () => {
  it('is borne out for what it has started, however far down', () => {
    const { processId } = running()
    expect(isWithinCheck(state, startedBy(7, processId, 1))).toBe(true)
  })

  it('is not for a process that another one has started', () => {
    running()
    expect(isWithinCheck(state, startedBy(process.pid, 1))).toBe(false)
    expect(isWithinCheck(state)).toBe(false)
  })

  it('is borne out for a real process of it, by its own ancestors', () => {
    const module = join(import.meta.dirname, 'running-check.ts')
    const program = `import(process.argv[1]).then((room) => console.log(room.isWithinCheck(process.argv[2])))`
    const check = runningCheck(state)
    check.started(process.pid)
    const { stdout } = spawnSync('sh', ['-c', 'node -e "$1" "$2" "$3"', 'sh', program, module, state])
    expect(String(stdout).trim()).toBe('true')
  })
})

describe('given a check that has ended', () => {
  it('leaves no note, and bears nothing out', () => {
    const { processId, check } = running()
    check.ended()
    expect(readdirSync(notes())).toEqual([])
    expect(isWithinCheck(state, startedBy(processId))).toBe(false)
  })

  it('bears nothing out where it was killed with its note left behind, which the next one clears away', async () => {
    const { child, processId } = running()
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    expect(isWithinCheck(state, startedBy(processId))).toBe(false)
    const [left] = readdirSync(notes())
    running()
    expect(readdirSync(notes())).toHaveLength(1)
    expect(readdirSync(notes())).not.toContain(left)
  })
})

describe('given something that is no note', () => {
  it.each(['true', '1 - ', '1  host', 'f'.repeat(31)])('says no to a file of the name %j', (name) => {
    mkdirSync(notes(), { recursive: true })
    writeFileSync(join(notes(), name), '')
    expect(isWithinCheck(state, startedBy(1, process.pid))).toBe(false)
  })
})

describe('given a state folder that cannot be written to', () => {
  it('runs the check all the same, and nobody is known to work for it', () => {
    writeFileSync(join(state, 'donecheck'), '')
    chmodSync(join(state, 'donecheck'), 0o400)
    const { processId, check } = running()
    check.ended()
    expect(isWithinCheck(state, startedBy(processId))).toBe(false)
    expect(existsSync(notes())).toBe(false)
  })
})
