import { describe, expect, it } from 'vitest'
import type { RowName } from './rows.ts'
import { expectRows } from './expect-rows.ts'
import { roo, sameCallThreeTimes } from './same-call-three-times.ts'
import { firstAlarms, named, rounds } from './script.ts'

const caught = [
  'A A A',
  'same call, same error',
  'reworded thought, same call',
  'argument key order shuffled',
  // where they are wrong
  'a poll whose output changes',
  'a quiet job',
  'a batch of equal calls',
  'a provider that is down for a while',
] satisfies readonly RowName[]

describe('given the guard that counts to three', () => {
  expectRows(sameCallThreeTimes, Object.fromEntries(caught.map((name) => [name, { stop: 3 }])))

  it('begins anew after a message', () => {
    const twice = rounds(2, [named('a')])
    expect(firstAlarms(sameCallThreeTimes, [...twice, { message: 'go on' }, ...twice])).toEqual({})
  })
})

describe('given Roo', () => {
  expectRows(roo, Object.fromEntries(caught.map((name) => [name, { refuse: 3 }])))
})
