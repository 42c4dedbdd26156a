import { describe, expect, it } from 'vitest'
import type { Detector } from '../detector.ts'
import { madeRun, madeTurn } from '../trajectories/made-run.ts'
import { stepsOf } from '../trajectories/steps.ts'
import { sameCallAndResult } from './baseline.ts'
import { replay } from './replay.ts'
import { scriptedDetector } from './scripted-detector.ts'

const tenCalls = stepsOf(madeRun(Array.from({ length: 10 }, (_, index) => `tool ${index} result`)))

describe('given a detector over a recorded run', () => {
  it('counts the call of the alarm as run', () => {
    const { stop } = replay(scriptedDetector('x', { 3: { level: 'stop', rule: 'r' } }), tenCalls)
    expect(stop).toEqual({ rule: 'r', callsRun: 4, turn: 3, atCall: 3 })
  })

  it('counts it as saved where the alarm comes before it', () => {
    const { stop } = replay(
      scriptedDetector('x', { 3: { level: 'stop', rule: 'r', before: true } }),
      tenCalls,
    )
    expect(stop).toMatchObject({ callsRun: 3, atCall: 3 })
  })

  it('takes the first refusal as a veto and goes on; what was refused did not run', () => {
    const found = replay(
      scriptedDetector('x', {
        1: { level: 'warn', rule: 'w' },
        2: { level: 'warn', rule: 'w' },
        4: { level: 'refuse', rule: 'n' },
        5: { level: 'refuse', rule: 'm' },
        7: { level: 'stop', rule: 's' },
      }),
      tenCalls,
    )
    expect(found.veto).toMatchObject({ rule: 'n', callsRun: 5 })
    expect(found.stop).toMatchObject({ rule: 's', callsRun: 8 - 2 })
    expect([...found.warnings]).toEqual([['w', 2]])
    expect([...found.refusals]).toEqual([
      ['n', 1],
      ['m', 1],
    ])
  })

  it('takes a stop without a refusal as the veto too', () => {
    const { veto } = replay(scriptedDetector('x', { 3: { level: 'stop', rule: 'r' } }), tenCalls)
    expect(veto).toMatchObject({ callsRun: 4 })
  })

  it('saves the calls of a turn whose reply raised the alarm', () => {
    const atReply: Detector = {
      name: 'x',
      readsResults: false,
      begin: () => ({
        observe: (step) =>
          step.kind === 'reply' && step.turn === 1 ? { level: 'stop', rule: 'text' } : undefined,
      }),
    }
    const run = madeRun([], { turns: [madeTurn(['a 1 x', 'a 2 x']), madeTurn(['a 3 x', 'a 4 x'])] })
    expect(replay(atReply, stepsOf(run)).stop).toMatchObject({ callsRun: 2, turn: 1, atCall: 1 })
  })
})

describe('the measuring stick', () => {
  const stopAt = (...calls: string[]) => replay(sameCallAndResult(3), stepsOf(madeRun(calls))).stop?.callsRun

  it('stops at the third equal call with an equal result, not at the second', () => {
    expect(stopAt('a 1 x', 'a 1 x')).toBeUndefined()
    expect(stopAt('a 1 x', 'a 1 x', 'a 1 x')).toBe(3)
  })

  it('begins anew at another result, and never counts one that is not known', () => {
    expect(stopAt('a 1 x', 'a 1 x', 'a 1 y', 'a 1 x', 'a 1 x')).toBeUndefined()
    expect(stopAt('a 1 ?', 'a 1 ?', 'a 1 ?')).toBeUndefined()
  })
})
