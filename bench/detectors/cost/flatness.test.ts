import { describe, expect, it } from 'vitest'
import type { Detector } from '../detector.ts'
import { measureFlatness, measureInLoop, measureWhole } from './flatness.ts'

/** Remembers how far each of its watches came. */
function watched(reached: number[]): Detector {
  return {
    name: 'watched',
    readsResults: false,
    begin() {
      const place = reached.push(0) - 1
      return {
        observe(step) {
          if (step.kind !== 'call') return undefined
          if (step.index !== reached[place]) throw new Error(`call ${step.index} is out of order`)
          reached[place] = step.index + 1
          return undefined
        },
      }
    },
  }
}

describe('given a detector in a long run', () => {
  it('has a cost at every length, taken from one run of the greatest', () => {
    const reached: number[] = []
    const costs = measureFlatness(watched(reached), [1_000, 5_000, 20_000])
    expect(costs).toHaveLength(3)
    expect(costs.every((micros) => micros !== undefined && micros > 0)).toBe(true)
    expect(Math.max(...reached)).toBe(20_000)
    expect(reached.filter((calls) => calls === 20_000)).toHaveLength(1)
  })

  it('has a cost of the whole path: replies, and what is read of each step while it is watched', () => {
    const seen: string[] = []
    const digest = () => {
      throw new Error('read before the clock')
    }
    const begin = () => ({
      observe({ kind }: { readonly kind: string }) {
        if (seen.length < 4) seen.push(kind)
        return undefined
      },
    })
    const costs = measureWhole({ name: 'whole', readsResults: true, begin, digest }, [1_000, 2_000])
    expect(costs.every((micros) => micros !== undefined && micros > 0)).toBe(true)
    expect(seen).toEqual(['reply', 'call', 'reply', 'call'])
  })

  it('has a cost in a loop that never ends', () => {
    const reached: number[] = []
    expect(measureInLoop(watched(reached))).toBeGreaterThan(0)
    expect(reached).toEqual([40_000])
  })
})
