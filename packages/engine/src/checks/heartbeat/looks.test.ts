import { stamp, runStarted } from '@donecheck/core/testing'
import { modelProposed, toolCall, toolReturned } from '@donecheck/core/testing/facts'
import type { JsonValue } from '@donecheck/core/events'
import { describe, expect, it } from 'vitest'
import { backgroundIn, looksByItem, looksIn } from './looks.ts'

type Call = readonly [tool: string, args: JsonValue, status?: 'ok' | 'error' | 'unknown']

function record(...calls: readonly Call[]) {
  const steps = calls.map(([tool, args, status = 'ok'], index) => [
    modelProposed(toolCall(`call-${index + 1}`, tool, args)),
    toolReturned(`call-${index + 1}`, '', status),
  ])
  return stamp([runStarted(), ...steps])
}

function seen(items: readonly string[], ...calls: readonly Call[]): readonly boolean[] {
  return looksByItem(items, looksIn(record(...calls), 'HEARTBEAT.md')).map((found) => found.length > 0)
}

describe('given items that name what is to be looked at', () => {
  const items = ['Is `df -h` below 90 %?', 'errors in logs/app.log', 'https://example.com/health']

  it('a call that names it is a look, and speaks of no other item', () => {
    expect(seen(items, ['Bash', { command: 'df -h' }])).toEqual([true, false, false])
    expect(seen(items, ['read_file', { path: 'logs/app.log' }])).toEqual([false, true, false])
    expect(seen(items, ['fetch', { url: 'https://example.com/health' }])).toEqual([false, false, true])
  })

  it('of two names each needs a look', () => {
    expect(seen(['`a.log` and `b.log`'], ['read', { path: 'a.log' }])).toEqual([false])
    expect(seen(['`a.log` and `b.log`'], ['read', { path: 'a.log' }], ['read', { path: 'b.log' }])).toEqual([
      true,
    ])
  })

  it.each(['error', 'unknown'] as const)('a call that ended as %s is no look', (status) =>
    expect(seen(['`df -h`'], ['Bash', { command: 'df -h' }, status])).toEqual([false]),
  )
})

describe('given items that name nothing', () => {
  it('a word of their own is enough', () =>
    expect(
      seen(['Check the inbox', 'Anything in the calendar today?'], ['list_inbox', {}], ['calendar', {}]),
    ).toEqual([true, true]))

  it('one call that speaks of nothing is a look at one item', () =>
    expect(seen(['urgent emails?', 'new invoices?'], ['search', { query: 'is:unread' }])).toEqual([
      true,
      false,
    ]))

  it('a look at the list itself is none', () =>
    expect(seen(['urgent emails?'], ['read_file', { path: '/srv/HEARTBEAT.md' }])).toEqual([false]))
})

describe('given calls that leave something running', () => {
  it.each<[Call, boolean]>([
    [['Bash', { command: 'make backup', run_in_background: true }], true],
    [['shell', { command: 'make backup &' }], true],
    [['shell', { command: 'make a && make b' }], false],
    [['shell', { command: 'true &&' }], false],
    [['read_file', { path: 'a' }], false],
    [['Bash', { command: 'make backup', run_in_background: true }, 'error'], false],
    [['shell', { command: 'make backup &' }, 'unknown'], false],
  ])('%j', (call, isLeft) => expect(backgroundIn(record(call)).length > 0).toBe(isLeft))
})
