import { describe, expect, it } from 'vitest'
import type { Detector, Step } from '../detector.ts'
import { measureMemory } from './memory.ts'

const forgetful: Detector = {
  name: 'forgetful',
  readsResults: false,
  begin: () => ({ observe: () => undefined }),
}

const hoarding: Detector = {
  name: 'hoarding',
  readsResults: true,
  begin() {
    const seen: Step[] = []
    return {
      observe(step) {
        if (seen.push(step) > 500) seen.shift()
        return undefined
      },
    }
  },
}

describe('the memory of a watch', () => {
  it('is next to nothing where nothing is kept', () => {
    for (const bytes of measureMemory(forgetful, [500, 1_000])) expect(bytes).toBeLessThan(2000)
  })

  it('holds the results that are kept, and no others', () => {
    const bytes = measureMemory(hoarding, [500, 1_000])
    expect(bytes).toHaveLength(2)
    for (const held of bytes) {
      expect(held).toBeGreaterThan(500 * 1500)
      expect(held).toBeLessThan(500 * 5000)
    }
  })
})
