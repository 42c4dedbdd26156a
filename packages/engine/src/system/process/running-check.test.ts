import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProcessView } from './ancestors.ts'
import { isWithinCheck, runningCheck } from './running-check.ts'

let state = ''
const started: ChildProcess[] = []

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'donecheck-running-'))
})

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(state, { recursive: true, force: true })
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

/** As a process sees it that these have started, the nearest first. */
function startedBy(...ids: readonly number[]): ProcessView {
  return {
    ancestors: () => ids.map((processId) => ({ processId, words: [], hasTerminal: false })),
    usesTerminal: () => undefined,
  }
}

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

  it('is not where nobody can say who has started it', () => {
    running()
    const blind: ProcessView = { ancestors: () => undefined, usesTerminal: () => undefined }
    expect(isWithinCheck(state, blind)).toBe(false)
  })

  it('is not of another home', () => {
    const { processId } = running()
    expect(isWithinCheck(join(state, 'other'), startedBy(processId))).toBe(false)
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
  it.each(['true', 'f'.repeat(31)])('says no to a file of the name %j', (name) => {
    const { processId, check } = running()
    const [note = ''] = readdirSync(notes())
    renameSync(join(notes(), note), join(notes(), name))
    expect(isWithinCheck(state, startedBy(processId))).toBe(false)
    check.ended()
  })

  it.each(['', 'null', '[]', '{}', '{"host":"h","processId":"1","processStart":null}', 'x'])(
    'says no to a file with %j',
    (text) => {
      running()
      const [note = ''] = readdirSync(notes())
      writeFileSync(join(notes(), note), text)
      expect(isWithinCheck(state, startedBy(process.pid))).toBe(false)
    },
  )
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
