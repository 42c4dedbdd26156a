import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDue, readChecklist } from './checklist.ts'

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

  it('can be any text', () => {
    fc.assert(
      fc.property(fc.string(), (list) => {
        for (const { text } of readChecklist(list)) expect(text).not.toBe('')
      }),
    )
  })
})
