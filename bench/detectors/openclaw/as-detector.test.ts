import { describe, expect, it } from 'vitest'
import { expectRows } from '../scripted/expect-rows.ts'
import { firstAlarms, named, rounds, stepsOf } from '../scripted/script.ts'
import { openClaw2026 } from './openclaw-2026-9.ts'

const repeat = { warn: 11, refuse: 21, stop: 22 }

describe('given the profile of 2026.9', () => {
  expectRows(openClaw2026, {
    'A A A': repeat,
    'same call, same error': repeat,
    // a veto has no result, so there is no evidence until it has left the history
    'A B A B': { warn: 10, refuse: 20, stop: 51 },
    'A B C': { warn: 31 },
    'one unique call between repeats': { warn: 21 },
    'shell, jittered arguments, same failure': { refuse: 21, stop: 22 },
    'reworded thought, same call': repeat,
    'argument key order shuffled': repeat,
    // where it is wrong
    'edit and test, edits differ': { warn: 22 },
  })

  it('refuses the rest of a refused batch, and ends the run only in a later turn', () => {
    const batch = [...rounds(20, [named('a')]), named('a'), { ...named('b'), inBatch: true }, named('b')]
    const watch = openClaw2026.begin()
    const alarms = stepsOf(batch).flatMap((step) => (step.kind === 'call' ? [watch.observe(step)] : []))
    expect(alarms.slice(20).map((alarm) => alarm?.rule)).toEqual([
      'generic_repeat',
      'refused_batch',
      undefined,
    ])
    expect(firstAlarms(openClaw2026, [...batch, named('a')])).toEqual({ warn: 11, refuse: 21, stop: 24 })
  })

  it('begins anew after a message', () => {
    const script = rounds(4, [...rounds(9, [named('a')]), { message: 'go on' }])
    expect(firstAlarms(openClaw2026, script)).toEqual({})
  })
})
