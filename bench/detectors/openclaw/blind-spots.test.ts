/** What the real one was measured to miss and to block wrongly; the profile has to be as blind. */
import { describe, expect, it } from 'vitest'
import { session2026 } from './openclaw-2026-9.ts'
import { detailed, firstCalls, said, times, use, type Scripted } from './scripted.ts'

const calls = 120

function current(call: (at: number) => Scripted, count = calls): Readonly<Record<string, number>> {
  return firstCalls(session2026({ enabled: true }), times(count, call))
}

function exec(command: string, details: object): Scripted {
  return { ...use('exec', { command }), ending: detailed({ status: 'completed', ...details }) }
}

const cycleOf = (period: number) => (at: number) => ({
  ...use('read', { path: at % period }),
  ending: said('x'),
})
const failingTest = exec('npm test', { exitCode: 1, aggregated: '1 failed' })
const passingTest = exec('npm test', { exitCode: 0, aggregated: 'ok' })
const edit = (at: number): Scripted => ({ ...use('edit', { text: at }), ending: said(`edited ${at}`) })

describe('given what is not caught at all', () => {
  it.each<[string, (at: number) => Scripted]>([
    ['a cycle of 4', cycleOf(4)],
    ['a cycle of 5', cycleOf(5)],
    ['a cycle of 10', cycleOf(10)],
    [
      'the same error with other arguments each time',
      (at) => ({ ...use('read', { at }), ending: { error: 'denied' } }),
    ],
    [
      'errors that go round five tools',
      (at) => ({ ...use(`tool_${at % 5}`, { at }), ending: { error: 'denied' } }),
    ],
    [
      'reads with a growing offset and the same text',
      (at) => ({ ...use('read', { offset: at }), ending: said('x') }),
    ],
    [
      'the same search in other spaces',
      (at) => ({ ...use('search', { query: `x${' '.repeat(at)}` }), ending: said('') }),
    ],
    ['commands that fail in silence', (at) => exec(`make ${at}`, { exitCode: 1, aggregated: '' })],
    [
      'commands that take too long',
      (at) => exec(`make ${at}`, { exitCode: 1, timedOut: true, aggregated: 'x' }),
    ],
    [
      'failing commands with another tool between',
      (at) => (at % 2 === 0 ? exec(`make ${at}`, { exitCode: 1, aggregated: 'no rule' }) : edit(at)),
    ],
    [
      'a status that tells the time',
      (at) => ({ ...use('command_status'), ending: detailed({ elapsedMs: at }) }),
    ],
  ])('%s', (_, call) => {
    expect(current(call)).toEqual({})
  })
})

describe('given what is only warned of', () => {
  it('a cycle of 3', () => {
    expect(current(cycleOf(3))).toEqual({ 'warning generic_repeat': 31 })
  })

  it('edits between which the same test fails', () => {
    expect(current((at) => (at % 2 === 0 ? edit(at) : failingTest))).toEqual({ 'warning generic_repeat': 22 })
  })

  it.each<[string, (at: number) => Scripted]>([
    [
      'a search whose text holds the time',
      (at) => ({ ...use('search', { query: 'x' }), ending: said(`at ${at}`) }),
    ],
    ['a tool of the client, whose outcome is not recorded', () => use('client')],
  ])('%s', (_, call) => {
    expect(current(call)).toEqual({ 'warning generic_repeat': 11 })
  })
})

describe('given what is blocked wrongly', () => {
  const lint = (at: number) => exec(`lint ${at}`, { exitCode: 1, aggregated: 'missing header' })
  const sleep = () => exec('sleep 30', { exitCode: 0, aggregated: '' })
  const testTwice = (at: number) => (at % 3 === 2 ? edit(at) : passingTest)

  it('25 files that are linted, each with the same message', () => {
    expect(current(lint, 25)).toEqual({ 'critical generic_repeat': 21 })
  })

  it('25 waits on purpose', () => {
    expect(current(sleep, 25)).toEqual({ 'warning generic_repeat': 11, 'critical generic_repeat': 21 })
  })

  it('test, test, edit, though the edits are progress', () => {
    expect(current(testTwice, 40)['critical generic_repeat']).toBe(31)
  })
})

describe('given a new run after a compaction', () => {
  it('begins its streaks anew', () => {
    const call = (at: number): Scripted => ({
      ...use('read'),
      ending: said('x'),
      ids: { runId: `run ${Math.floor(at / 10)}` },
    })
    expect(current(call)).toEqual({})
  })
})
