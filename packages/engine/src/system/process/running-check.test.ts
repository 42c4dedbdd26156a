import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
    const { processId, check } = running()
    expect(isWithinCheck(check.token, state, startedBy(7, processId, 1))).toBe(true)
  })

  it('is not for who was started by another, whatever the variable says', () => {
    const { check } = running()
    expect(isWithinCheck(check.token, state, startedBy(process.pid, 1))).toBe(false)
    expect(isWithinCheck(check.token, state)).toBe(false)
  })

  it('is not where nobody can say who has started it', () => {
    const { check } = running()
    const blind: ProcessView = { ancestors: () => undefined, usesTerminal: () => undefined }
    expect(isWithinCheck(check.token, state, blind)).toBe(false)
  })

  it('is not of another home', () => {
    const { processId, check } = running()
    expect(isWithinCheck(check.token, join(state, 'other'), startedBy(processId))).toBe(false)
  })
})

describe('given a check that has ended', () => {
  it('leaves no note, and bears nothing out', () => {
    const { processId, check } = running()
    check.ended()
    expect(readdirSync(notes())).toEqual([])
    expect(isWithinCheck(check.token, state, startedBy(processId))).toBe(false)
  })

  it('bears nothing out where it was killed with its note left behind, which the next one clears away', async () => {
    const { child, processId, check } = running()
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    expect(isWithinCheck(check.token, state, startedBy(processId))).toBe(false)
    const next = running()
    expect(readdirSync(notes())).toEqual([next.check.token])
  })
})

describe('given something that is no note', () => {
  it.each(['', '../../etc/passwd', 'true', '0'.repeat(32), 'f'.repeat(31)])('says no to %j', (token) => {
    running()
    expect(isWithinCheck(token, state, startedBy(process.pid))).toBe(false)
  })

  it.each(['', 'null', '[]', '{}', '{"host":"h","processId":"1","processStart":null}', 'x'])(
    'says no to a file with %j',
    (text) => {
      const { processId } = running()
      const token = 'a'.repeat(32)
      writeFileSync(join(notes(), token), text)
      expect(isWithinCheck(token, state, startedBy(processId))).toBe(false)
    },
  )
})

describe('given a state folder that cannot be written to', () => {
  it('runs the check all the same, and nobody is known to work for it', () => {
    writeFileSync(join(state, 'donecheck'), '')
    chmodSync(join(state, 'donecheck'), 0o400)
    const { processId, check } = running()
    check.ended()
    expect(isWithinCheck(check.token, state, startedBy(processId))).toBe(false)
    expect(existsSync(notes())).toBe(false)
  })
})
