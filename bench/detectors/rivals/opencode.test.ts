import { describe, expect, it } from 'vitest'
import { expectRows } from './expect-rows.ts'
import { opencode } from './opencode.ts'
import { firstAlarms, named, type ScriptedCall } from './script.ts'

describe('given opencode', () => {
  expectRows(opencode, {
    // where it is wrong; of real loops it sees none that goes on over messages
    'a batch of equal calls': { refuse: 3 },
  })

  const batched = (call: ScriptedCall): ScriptedCall => ({ ...call, inBatch: true })

  it('wants the last three of one message to be equal', () => {
    const a = named('a')
    const b = named('b')
    expect(firstAlarms(opencode, [b, batched(a), batched(a)])).toEqual({})
    expect(firstAlarms(opencode, [b, batched(a), batched(a), batched(a)])).toEqual({ refuse: 4 })
  })

  it('takes another order of keys for another call', () => {
    const one = batched({ args: { path: 'a.ts', line: 1 } })
    const other = batched({ args: { line: 1, path: 'a.ts' } })
    expect(firstAlarms(opencode, [{ ...one, inBatch: false }, one, other])).toEqual({})
  })
})
