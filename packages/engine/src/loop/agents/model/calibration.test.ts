import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { noCalibration, recalibrate } from './agent-over.ts'
describe('given any count', () => {
  it.prop([fc.array(fc.tuple(fc.nat(), fc.nat()))])('stays within its bounds', (counts) => {
    const last = counts.reduce(
      (value, [estimated, real]) => recalibrate(value, estimated, real),
      noCalibration,
    )
    expect(last >= 0.8 && last <= 4).toBe(true)
  })
})
