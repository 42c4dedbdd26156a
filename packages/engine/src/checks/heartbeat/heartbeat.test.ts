import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDue, readChecklist, readHeartbeatReply, backgroundIn, looksByItem, looksIn } from './heartbeat.ts'
import { stamp, runStarted } from '@donecheck/core/testing'
import { modelProposed, toolCall, toolReturned } from '@donecheck/core/internal/testing/facts'
import type { JsonValue } from '@donecheck/core/internal/events'

const textsOf = (list: string) => readChecklist(list).map(({ text }) => text)

describe('given a checklist with nothing in it', () => {
  it.each([
    '',
    '\n \n',
    '# Heartbeat\n\n## Mornings',
    '<!-- later: - check the disk -->\n',
    '<!-- never closed\n- check the disk',
    '- \n- [ ]\n* [x]\n1. ',
    '```\n```',
  ])('has no items: %j', (list) => expect(readChecklist(list)).toEqual([]))
})

describe('given a checklist', () => {
  it('every line that says something is an item; what is indented belongs to the one above', () => {
    expect(
      textsOf('# Heartbeat\n- [ ] the inbox\n  and the spam\n* disk space\nany alerts?\n#urgent things'),
    ).toEqual(['the inbox and the spam', 'disk space', 'any alerts?', '#urgent things'])
  })

  it('what stands in a fence belongs to the item above', () =>
    expect(textsOf('- the disk\n```\ndf -h\n```\n- the inbox')).toEqual(['the disk df -h', 'the inbox']))

  it('what is checked off is not due', () =>
    expect(readChecklist('- [x] the inbox').map((item) => isDue(item, 0, undefined))).toEqual([false]))

  it.each([
    ['disk (every 2h)', 7_200_000],
    ['disk (every 30 minutes)', 1_800_000],
    ['disk (every day)', 86_400_000],
    ['disk (Daily)', 86_400_000],
    ['disk (weekly)', 604_800_000],
    ['disk (2h)', undefined],
    ['disk', undefined],
  ])('%s', (item, everyMs) => expect(readChecklist(`- ${item}`)[0]?.everyMs).toBe(everyMs))

  it('is due again when its time is over, and not a millisecond before', () => {
    const [item = { text: '', everyMs: 0, isCheckedOff: true }] = readChecklist('- disk (hourly)')
    expect([undefined, 0, 1].map((last) => isDue(item, 3_600_000, last))).toEqual([true, true, false])
  })
})

describe('given the answer of a heartbeat', () => {
  it.each([
    ['HEARTBEAT_OK', true, ''],
    [' HEARTBEAT_OK.\n', true, ''],
    ['**HEARTBEAT_OK**', true, ''],
    ['<b>HEARTBEAT_OK</b>', true, ''],
    ['`HEARTBEAT_OK` HEARTBEAT_OK', true, ''],
    ['Disk is full! HEARTBEAT_OK', true, 'Disk is full!'],
    ['HEARTBEAT_OK\n\nThe disk is at 91 %.', true, 'The disk is at 91 %.'],
    ['I would say HEARTBEAT_OK if it were.', false, 'I would say HEARTBEAT_OK if it were.'],
    ['heartbeat_ok', false, 'heartbeat_ok'],
    ['HEARTBEAT_OKAY', false, 'HEARTBEAT_OKAY'],
    ['', false, ''],
  ])('%j', (text, claimsAllClear, rest) => expect(readHeartbeatReply(text)).toEqual({ claimsAllClear, rest }))

  it('never loses a word beside the token, however long', () => {
    const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,60}$/)
    fc.assert(
      fc.property(words, fc.boolean(), (said, isFirst) => {
        const text = isFirst ? `HEARTBEAT_OK ${said}` : `${said}\nHEARTBEAT_OK`
        expect(readHeartbeatReply(text)).toEqual({ claimsAllClear: true, rest: said })
      }),
    )
  })
})

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
