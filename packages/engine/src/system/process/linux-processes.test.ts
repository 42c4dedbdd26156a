import { readFileSync } from 'node:fs'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { parseProcessStat } from './linux-processes.ts'

/** A line of the system with the name of a program in it. */
function statOf(name: string, state = 'S'): string {
  const beforeStart = Array.from({ length: 18 }, (_, index) => index + 4)
  return `4711 (${name}) ${state} ${beforeStart.join(' ')} 123456789 30 31 32\n`
}

describe('given what the system says of a process', () => {
  test.prop([fc.oneof(fc.string(), fc.constantFrom(') Z 1 2 (', 'a b', '((', '\n) S', ' 22 '))])(
    'finds its start, whatever the program calls itself',
    (name) => {
      expect(parseProcessStat(statOf(name))).toEqual({
        id: 4711,
        name,
        startTicks: 123456789,
        ended: false,
        parentId: 4,
        groupId: 5,
        sessionId: 6,
        hasTerminal: true,
      })
    },
  )

  it('knows a process that has ended and waits for its parent', () => {
    for (const state of ['Z', 'X']) expect(parseProcessStat(statOf('node', state))?.ended).toBe(true)
  })

  it('knows one without a terminal', () => {
    const stat = statOf('node').replace(' 4 5 6 7 ', ' 4 5 6 0 ')
    expect(parseProcessStat(stat)?.hasTerminal).toBe(false)
  })

  test.prop([fc.string()])('finds nothing in a text of another shape', (text) => {
    expect(parseProcessStat(text)).toBeUndefined()
    expect(parseProcessStat(`1 (${text}) S 1 2 3`)).toBeUndefined()
  })

  it.skipIf(process.platform !== 'linux')('reads what this system says (Linux only)', () => {
    const stat = parseProcessStat(readFileSync('/proc/self/stat', 'utf8'))
    expect(stat).toMatchObject({
      id: process.pid,
      ended: false,
      parentId: process.ppid,
    })
  })
})
