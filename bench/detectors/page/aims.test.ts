import { describe, expect, it } from 'vitest'
import type { DetectorCost } from '../cost/cost-table.ts'
import type { Alarm } from '../detector.ts'
import { measureRun } from '../measure/measured-run.ts'
import { scriptedDetector } from '../measure/scripted-detector.ts'
import { madeRun } from '@donecheck/engine/testing'
import { stepsOf } from '@donecheck/engine/recordings'
import { aimsTable, type Reached } from './aims.ts'

const stop: Alarm = { level: 'stop', rule: 'loop' }
const calls = Array.from({ length: 10 }, (_, index) => `tool ${index} result`)
const good = scriptedDetector('good', {})
const harsh = scriptedDetector('harsh', { 4: stop })
const detectors = [good, harsh]

const cost = (rest: Partial<DetectorCost>): DetectorCost => ({
  perCallMicros: 1,
  perStepMicros: 1,
  atLengths: [1, 1, 1, 1],
  wholeAtLengths: [1, 1, 1, 1],
  inLoop: 1,
  bytes: [100, 200],
  ...rest,
})

function rowOf(name: string, reached: Partial<Reached>): string {
  const run = madeRun(calls, { model: 'gemini-3-pro' })
  const runs = [run, { ...run, outcome: { resolved: false } }].map((one) =>
    measureRun(one, stepsOf(one), detectors),
  )
  const nothing = { costs: undefined, generated: undefined, resultRivals: new Set<string>() }
  const table = aimsTable({ detectors, runs, ...nothing, ...reached })
  return table.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? ''
}

describe('given what detectors reached', () => {
  it('marks harm and too little use as missed', () => {
    expect(rowOf('harsh', {})).toMatch(/\| +50\.00 % \| +MISSED 100\.00 % \| +MISSED 1 of 1 \|/)
    expect(rowOf('good', {})).toMatch(/\| +MISSED 0\.00 % \| +0\.00 % \| +0 of 1 \|/)
  })

  it('says what was not measured instead of calling it reached', () => {
    expect(rowOf('good', {}).match(/not measured/g)).toHaveLength(7)
  })

  it('takes the cost of the cheapest rival that compares results as the limit', () => {
    const costs = new Map([
      ['good', cost({ perCallMicros: 2.5 })],
      ['harsh', cost({ perCallMicros: 2 })],
    ])
    const resultRivals = new Set(['harsh'])
    expect(rowOf('good', { costs, resultRivals })).toContain('MISSED 2.50')
    expect(rowOf('harsh', { costs, resultRivals })).not.toContain('MISSED 2.00')
    const both = new Set(['harsh', 'good'])
    expect(rowOf('good', { costs, resultRivals: both })).toContain('MISSED 2.50')
  })

  it('marks growing costs, too much memory, and a measurement that was given up', () => {
    const row = (rest: Partial<DetectorCost>) => rowOf('good', { costs: new Map([['good', cost(rest)]]) })
    expect(row({ atLengths: [1, 1, 1, 1.6] })).toContain('MISSED 1.60 times')
    expect(row({ atLengths: [1, 1, undefined, undefined] })).toContain('MISSED given up')
    expect(row({ bytes: [100, 65_537] })).toContain('MISSED 64.0 KB')
    expect(row({ bytes: [100, 65_536] })).not.toContain('MISSED 64.0 KB')
  })

  it('marks generated loops that were missed and honest work that was stopped', () => {
    const generated = new Map([
      [
        'good',
        { loopsStoppedShare: 0.95, loopsEndedShare: 0.97, benignStopped: 0, warningsPerThousandCalls: 1 },
      ],
      [
        'harsh',
        {
          loopsStoppedShare: 0.949,
          loopsEndedShare: 0.969,
          benignStopped: 1,
          warningsPerThousandCalls: 1.01,
        },
      ],
    ])
    expect(rowOf('good', { generated }).match(/MISSED/g)).toHaveLength(1)
    expect(rowOf('harsh', { generated })).toMatch(
      /MISSED 94\.9 % \| +MISSED 96\.9 % \| +MISSED 1 \| +MISSED 1\.01/,
    )
  })
})
