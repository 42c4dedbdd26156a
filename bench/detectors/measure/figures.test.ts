import { describe, expect, it } from 'vitest'
import type { Alarm } from '../detector.ts'
import { madeRun, madeTurn, scriptedWatcher } from '@donecheck/engine/testing'
import type { RecordedRun } from '@donecheck/engine/recordings'
import { stepsOf } from '@donecheck/engine/recordings'
import { figuresOf } from './figures.ts'
import { measureRun } from './measured-run.ts'

const stop: Alarm = { level: 'stop', rule: 'loop' }
const calls = (count: number) => Array.from({ length: count }, (_, index) => `tool ${index} result`)

/** Each run with the alarms that its detector gives in it. */
function measured(...runs: readonly (readonly [RecordedRun, Record<number, Alarm>])[]) {
  return runs.map(([run, alarms]) => measureRun(run, stepsOf(run), [scriptedWatcher('x', alarms)]))
}

const unresolved = (run: readonly string[], rest: Partial<RecordedRun> = {}) =>
  madeRun(run, { outcome: { resolved: false }, ...rest })

describe('given resolved runs', () => {
  const runs = measured(
    [madeRun(calls(10)), { 3: stop }],
    [madeRun(calls(10), { model: 'google/gemini-3-pro-preview' }), { 7: stop }],
    [madeRun(calls(20)), { 1: { level: 'warn', rule: 'w' }, 2: { level: 'refuse', rule: 'n' } }],
    [madeRun(calls(10)), {}],
    [madeRun(calls(99), { outcome: { resolved: null } }), { 1: stop }],
  )

  it('counts those that would have been ended, and how much of them came after', () => {
    const figures = figuresOf(runs, 'x')
    expect(figures.resolved).toBe(4)
    expect(figures.killedShare).toBe(0.5)
    expect(figures.kills.map(({ cutShare }) => cutShare)).toEqual([0.6, 0.2])
  })

  it('counts those of the newest models apart', () => {
    expect(figuresOf(runs, 'x')).toMatchObject({ newestResolved: 1, newestKills: 1 })
  })

  it('gives warnings and refusals per thousand of their calls and steps', () => {
    expect(figuresOf(runs, 'x').warningsPerThousandCalls).toBe(1000 / 50)
    expect(figuresOf(runs, 'x').refusalsPerThousandCalls).toBe(1000 / 50)
  })

  it('has nothing to say of a detector that was not there', () => {
    expect(() => figuresOf(runs, 'y')).toThrow("not replayed with 'y'")
  })
})

describe('given unresolved runs', () => {
  it('gives the share of all their calls that came after the first stop', () => {
    const runs = measured([unresolved(calls(10)), { 4: stop }], [unresolved(calls(30)), {}])
    expect(figuresOf(runs, 'x')).toMatchObject({
      unresolved: 2,
      ended: 1,
      calls: { runs: 2, saved: 5, total: 40, share: 0.125 },
    })
  })

  it('counts refused calls as saved, whether the run was ended or not', () => {
    const refuse: Alarm = { level: 'refuse', rule: 'loop', before: true }
    const runs = measured(
      [unresolved(calls(10)), { 4: refuse, 6: { ...stop, before: true } }],
      [unresolved(calls(10)), { 8: refuse }],
      [unresolved(calls(10)), { 8: { level: 'warn', rule: 'loop' } }],
    )
    expect(figuresOf(runs, 'x').calls.saved).toBe(1 + 4 + 1)
  })

  it('gives the share of tokens where every turn tells them: the turn of the alarm is spent', () => {
    const turn = (tokens: number) => madeTurn(['tool a b'], { tokens: { in: tokens - 1, out: 1 } })
    const runs = measured(
      [unresolved([], { turns: [turn(10), turn(20), turn(30)] }), { 1: stop }],
      [unresolved([], { turns: [turn(40), madeTurn(['tool a b'])] }), { 0: stop }],
    )
    expect(figuresOf(runs, 'x')).toMatchObject({ tokens: { runs: 1, share: 0.5 } })
  })

  it('has no share without runs', () => {
    expect(figuresOf([], 'x')).toMatchObject({ calls: { share: undefined }, killedShare: undefined })
  })
})
