import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn, scriptedWatcher } from '../../testing/index.ts'
import { stepsOf } from '../recordings/index.ts'
import type { Watcher } from './watches.ts'
import { replay } from './replay.ts'

const tenCalls = stepsOf(madeRun(Array.from({ length: 10 }, (_, index) => `tool ${index} result`)))

describe('given a rule over a recorded run', () => {
  it('counts the call of the alarm as run', () => {
    const { stop } = replay(scriptedWatcher('x', { 3: { level: 'stop', rule: 'r' } }), tenCalls)
    expect(stop).toEqual({ rule: 'r', callsRun: 4, turn: 3 })
  })

  it('goes on after a refusal; what was refused did not run', () => {
    const found = replay(
      scriptedWatcher('x', {
        1: { level: 'warn', rule: 'w' },
        2: { level: 'warn', rule: 'w' },
        4: { level: 'refuse', rule: 'n' },
        5: { level: 'refuse', rule: 'm' },
        7: { level: 'stop', rule: 's' },
      }),
      tenCalls,
    )
    expect(found.stop).toMatchObject({ rule: 's', callsRun: 8 - 2 })
    expect([...found.warnings]).toEqual([['w', 2]])
    expect([...found.refusals]).toEqual([
      ['n', 1],
      ['m', 1],
    ])
  })

  it('saves the calls of a turn whose reply raised the alarm', () => {
    const atReply: Watcher = {
      name: 'x',
      begin: () => ({
        observe: (step) =>
          step.kind === 'reply' && step.turn === 1 ? { level: 'stop', rule: 'text' } : undefined,
      }),
    }
    const run = madeRun([], { turns: [madeTurn(['a 1 x', 'a 2 x']), madeTurn(['a 3 x', 'a 4 x'])] })
    expect(replay(atReply, stepsOf(run)).stop).toMatchObject({ callsRun: 2, turn: 1 })
  })

  it('saves the turn itself where the alarm comes before the model is asked', () => {
    const atReply: Watcher = {
      name: 'x',
      begin: () => ({
        observe: ({ kind, turn }) =>
          kind === 'reply' && turn === 2 ? { level: 'stop', rule: 'cap', before: true } : undefined,
      }),
    }
    expect(replay(atReply, tenCalls).stop).toMatchObject({ callsRun: 2, turn: 1 })
  })
})
