import { describe, expect, it } from 'vitest'
import { cline, clineWithMistakes } from './cline.ts'
import { expectRows } from './expect-rows.ts'
import { firstAlarms, named, rounds, type ScriptedCall, type ScriptedStep } from './script.ts'

const noteThenStop = { warn: 3, stop: 5 }

describe('given cline', () => {
  expectRows(cline, {
    'A A A': noteThenStop,
    'same call, same error': noteThenStop,
    'reworded thought, same call': noteThenStop,
    'argument key order shuffled': noteThenStop,
    // where it is wrong
    'a poll whose output changes': noteThenStop,
    'a quiet job': noteThenStop,
    'a batch of equal calls': noteThenStop,
    'a provider that is down for a while': { warn: 3 },
  })

  it('begins anew after another call and after a message', () => {
    const four = rounds(4, [named('a')])
    expect(firstAlarms(cline, [...four, named('b'), ...four])).toEqual({ warn: 3 })
    expect(firstAlarms(cline, [...four, { message: 'go on' }, ...four])).toEqual({ warn: 3 })
  })
})

describe('given cline with its mistake tracker', () => {
  const stopAtThree = { stop: 3 }
  expectRows(clineWithMistakes, {
    'A A A': noteThenStop,
    'same call, same error': stopAtThree,
    'shell, jittered arguments, same failure': stopAtThree,
    'other tool, jittered arguments, same error': stopAtThree,
    'reworded thought, same call': noteThenStop,
    'argument key order shuffled': noteThenStop,
    // where it is wrong
    'a poll whose output changes': noteThenStop,
    'a quiet job': noteThenStop,
    'a batch of equal calls': noteThenStop,
    'a provider that is down for a while': stopAtThree,
  })

  it('counts only failures that follow each other', () => {
    const failing = (at: number): ScriptedCall => ({ tool: 'deploy', args: { at }, isError: true })
    const between = (step: ScriptedStep) => [failing(1), failing(2), step, failing(3), failing(4)]
    expect(firstAlarms(clineWithMistakes, between(named('a')))).toEqual({})
    expect(firstAlarms(clineWithMistakes, between({ message: 'go on' }))).toEqual({})
  })
})
