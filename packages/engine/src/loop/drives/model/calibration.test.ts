import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { noCalibration, recalibrate } from './drive-over.ts'

describe('given a provider that counts less', () => {
  it('follows by halves, and not far', () => {
    expect(recalibrate(1.6, 100, 120)).toBeCloseTo(1.4)
    expect(recalibrate(noCalibration, 10_000, 5)).toBeCloseTo(0.9)
  })
})

describe('given any count', () => {
  it.prop([fc.array(fc.tuple(fc.nat(), fc.nat()))])('stays within its bounds', (counts) => {
    const last = counts.reduce(
      (value, [estimated, real]) => recalibrate(value, estimated, real),
      noCalibration,
    )
    expect(last >= 0.8 && last <= 4).toBe(true)
  })
})
