import { describe, expect, it } from 'vitest'
import type { Alarm, CallStep, Detector, GeneratedClass, GeneratedRun, Step } from './generated-run.ts'
import { scoresOf, scoreTable, type Score } from './score.ts'

/** Three calls of honest work, then six rounds of two calls; one call a turn, so call n is step 2n + 1. */
const [onset, period] = [3, 2]
const steps = Array.from({ length: 15 }, (_, index): readonly Step[] => [
  { kind: 'reply', turn: index, text: '', calls: 1 },
  callStep(index),
]).flat()
const roundEnds = Array.from({ length: 6 }, (_, round) => onset + period * (round + 1))
const run: GeneratedRun = { name: 'x #0', kind: 'loop', steps, unit: 'call', onset, period, roundEnds }
const loop: GeneratedClass = { kind: 'loop', name: 'x', about: '', demand: 'laps', make: () => run }
const honest: GeneratedClass = { kind: 'benign', name: 'y', about: '', make: () => run }

function callStep(index: number): CallStep {
  const digests = { argsDigest: 'a', result: 'r', resultDigest: 'b', isError: null }
  return { kind: 'call', index, turn: index, tool: 'read', args: {}, ...digests }
}

/** Raises the alarms at calls of these numbers. */
function scoreOf(of: GeneratedClass, alarms: Readonly<Record<number, Alarm>>): Score | undefined {
  const begin = () => ({ observe: (step: Step) => (step.kind === 'call' ? alarms[step.index] : undefined) })
  const scripted: Detector = { name: 'scripted', begin }
  return scoresOf([scripted], 'tune', 1, [of]).get('scripted')
}

const stop: Alarm = { level: 'stop', rule: 'five' }
/** The last call of the third repetition after the first round. */
const lastInTime = onset + 4 * period - 1

describe('given a loop', () => {
  it.each([
    ['at the last call in time', lastInTime, stop, { withinThree: 1, ever: 1, early: 0 }],
    ['one call later', lastInTime + 1, stop, { withinThree: 0, ever: 1, early: 0 }],
    ['before that call', lastInTime + 1, { ...stop, before: true }, { withinThree: 1, ever: 1 }],
    ['with the first round', onset + period - 1, stop, { withinThree: 1, ever: 1, early: 0 }],
    ['before the first round was over', onset, stop, { withinThree: 0, ever: 0, early: 1 }],
    ['by a refusal alone', lastInTime, { level: 'refuse', rule: 'no' }, { ever: 0, vetoedEver: 1 }],
    ['by a warning alone', lastInTime, { level: 'warn', rule: 'hm' }, { ever: 0, vetoedEver: 0 }],
  ] satisfies [string, number, Alarm, Partial<Score>][])('stopped %s', (_, at, alarm, expected) => {
    expect(scoreOf(loop, { [at]: alarm })).toMatchObject({ loops: 1, roundLoops: 1, ...expected })
  })
})

describe('given honest work', () => {
  const warn: Alarm = { level: 'warn', rule: 'hm' }

  it('counts each run once, every warning, and nothing after a stop', () => {
    expect(scoreOf(honest, { 0: warn, 1: warn })).toMatchObject({
      stopped: 0,
      warned: 1,
      warnings: 2,
      calls: 15,
    })
    expect(scoreOf(honest, { 1: stop, 2: warn })).toMatchObject({
      stopped: 1,
      vetoed: 1,
      warnings: 0,
      calls: 2,
    })
    expect(scoreOf(honest, { 1: { level: 'refuse', rule: 'no' } })).toMatchObject({ stopped: 0, vetoed: 1 })
  })

  it('is a row of the table, below the aims', () => {
    const score = scoreOf(loop, { [lastInTime]: stop })
    expect(score && scoreTable(new Map([['x', score]]))).toContain('| *aim* ')
  })
})
