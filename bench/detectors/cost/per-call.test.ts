import { describe, expect, it } from 'vitest'
import type { Detector, Step } from '../detector.ts'
import { madeRun } from '@donecheck/engine/testing'
import { stepsOf } from '@donecheck/engine/recordings'
import { measureCallCosts } from './per-call.ts'

/** Does some work and counts the steps that one watch saw. */
function counting(name: string, seen: Map<string, number>): Detector {
  return {
    name,
    readsResults: false,
    begin() {
      const steps: Step[] = []
      return {
        observe(step) {
          steps.push(step)
          for (const { kind } of steps) seen.set(kind, (seen.get(kind) ?? 0) + 1)
          return { level: 'stop', rule: 'always' }
        },
      }
    },
  }
}

describe('given detectors and recorded steps', () => {
  const run = stepsOf(madeRun(Array.from({ length: 30 }, (_, index) => `tool ${index} result`)))

  it('times every detector, over the calls alone and over all steps, also past a stop', () => {
    const seen = new Map<string, number>()
    const costs = measureCallCosts([counting('a', seen), counting('b', new Map())], [run, run])
    expect([...costs.keys()]).toEqual(['a', 'b'])
    for (const { perCallMicros, perStepMicros } of costs.values()) {
      expect(perCallMicros).toBeGreaterThan(0)
      expect(perStepMicros).toBeGreaterThan(0)
    }
    expect(seen.get('call') ?? 0).toBeGreaterThan(seen.get('reply') ?? 0)
    expect(seen.has('reply')).toBe(true)
  })

  it('has no number where there is nothing to look at', () => {
    expect(measureCallCosts([counting('a', new Map())], []).get('a')).toEqual({
      perCallMicros: Number.NaN,
      perStepMicros: Number.NaN,
    })
  })
})
