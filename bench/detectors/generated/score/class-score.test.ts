import { describe, expect, it } from 'vitest'
import type { Alarm, Step } from '../../detector.ts'
import type { BenignClass, GeneratedRun, LoopClass } from '../generated-run.ts'
import { scoreOf, type BenignScore, type LoopScore } from './class-score.ts'
import { alarmsAt } from './scripted-detector.ts'
import { watch } from './sight.ts'

/** One call a turn: its reply is step 2n, the call is step 2n + 1. */
const stepOfCall = (index: number) => 2 * index + 1

function stepsOf(calls: number): readonly Step[] {
  return Array.from({ length: calls }, (_, index): readonly Step[] => [
    { kind: 'reply', turn: index, text: '', calls: 1 },
    {
      kind: 'call',
      index,
      turn: index,
      tool: 'read',
      args: {},
      argsDigest: 'a',
      result: 'r',
      resultDigest: 'b',
      isError: null,
    },
  ]).flat()
}

/** Three calls of honest work, then rounds of two calls. */
const onset = 3
const period = 2
const roundEnds = Array.from({ length: 6 }, (_, round) => onset + period * (round + 1))
const run: GeneratedRun = {
  name: 'x #0',
  kind: 'loop',
  steps: stepsOf(15),
  unit: 'call',
  onset,
  period,
  roundEnds,
}

const loop: LoopClass = { kind: 'loop', name: 'x', about: '', demand: 'laps', make: () => run }

function loopScore(alarm: Alarm, atCall: number): LoopScore {
  const score = scoreOf(alarmsAt({ [stepOfCall(atCall)]: alarm }), loop, [run])
  if (score.kind !== 'loop') throw new TypeError('a loop has the score of a loop')
  return score
}

const stop: Alarm = { level: 'stop', rule: 'five' }

/** The last call of the third repetition after the first round. */
const lastInTime = onset + 4 * period - 1

describe('given a loop and a detector that stops it', () => {
  it('counts the last call of the third repetition as in time, the next one not', () => {
    expect(loopScore(stop, lastInTime)).toMatchObject({
      withinThree: 1,
      withinThirdLap: 0,
      ever: 1,
      early: 0,
      delay: 8,
    })
    expect(loopScore(stop, lastInTime + 1)).toMatchObject({ withinThree: 0, ever: 1, delay: 9 })
  })

  it('does not count the call at hand where the alarm comes before it', () => {
    const before: Alarm = { ...stop, before: true }
    expect(loopScore(before, lastInTime + 1)).toMatchObject({ withinThree: 1, delay: 8 })
    expect(loopScore(before, lastInTime + 2)).toMatchObject({ withinThree: 0, delay: 9 })
  })

  it('has a stricter column: the end of the third round', () => {
    expect(loopScore(stop, onset + 3 * period - 1)).toMatchObject({
      withinThree: 1,
      withinThirdLap: 1,
      delay: 6,
    })
    expect(loopScore(stop, onset + 3 * period)).toMatchObject({ withinThree: 1, withinThirdLap: 0 })
  })

  it('does not take a stop before the end of the first round for a catch', () => {
    for (const call of [0, onset - 1, onset]) {
      expect(loopScore(stop, call)).toMatchObject({ withinThree: 0, ever: 0, early: 1, delay: undefined })
    }
    expect(loopScore(stop, onset + period - 1)).toMatchObject({ withinThree: 1, ever: 1, early: 0 })
  })

  it('counts a refusal apart, and a warning as noticed', () => {
    const refused = loopScore({ level: 'refuse', rule: 'no' }, lastInTime)
    expect(refused).toMatchObject({
      withinThree: 0,
      ever: 0,
      vetoedWithinThree: 1,
      vetoedEver: 1,
      noticed: 1,
    })
    const warned = loopScore({ level: 'warn', rule: 'hm' }, lastInTime)
    expect(warned).toMatchObject({ ever: 0, vetoedEver: 0, noticed: 1 })
    expect(loopScore({ level: 'warn', rule: 'hm' }, onset - 1)).toMatchObject({ noticed: 0 })
  })

  it('says which rule it was', () => {
    expect([...loopScore(stop, lastInTime).rules]).toEqual([['five', 1]])
  })

  it('counts replies where replies go round', () => {
    const talk: GeneratedRun = { ...run, unit: 'reply' }
    const atReply = alarmsAt({ [2 * lastInTime]: stop })
    expect(scoreOf(atReply, loop, [talk])).toMatchObject({ withinThree: 1, delay: 8 })
  })
})

describe('given honest work and a detector that is not content', () => {
  const benign: BenignClass = { kind: 'benign', name: 'y', about: '', make: () => run }
  const score = (alarms: Readonly<Record<number, Alarm>>): BenignScore => {
    const scored = scoreOf(alarmsAt(alarms), benign, [run])
    if (scored.kind !== 'benign') throw new TypeError('honest work has the score of honest work')
    return scored
  }

  it('counts every warning, and each run once', () => {
    const warn: Alarm = { level: 'warn', rule: 'hm' }
    const scored = score({ 1: warn, 3: warn, 5: warn })
    expect(scored).toMatchObject({ stopped: 0, vetoed: 0, warned: 1, warnings: 3, calls: 15 })
    expect([...scored.rules]).toEqual([['hm', 1]])
  })

  it('counts a stop wherever it comes, and shows nothing after it', () => {
    expect(score({ 3: stop, 5: { level: 'warn', rule: 'hm' } })).toMatchObject({
      stopped: 1,
      vetoed: 1,
      warnings: 0,
      calls: 2,
    })
  })

  it('goes on after a refusal', () => {
    expect(score({ 3: { level: 'refuse', rule: 'no' } })).toMatchObject({ stopped: 0, vetoed: 1, calls: 15 })
    expect(watch(alarmsAt({ 3: { level: 'refuse', rule: 'no' }, 7: stop }), run)).toMatchObject({
      veto: { rule: 'no', unitsRun: 2 },
      stop: { rule: 'five', unitsRun: 4 },
      refusals: 1,
    })
  })
})
