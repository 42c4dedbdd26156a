import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { standardLoopDetection, type LoopDetectionSettings } from '../../events/settings/index.ts'
import { problemOfThresholds } from './loop-detections.ts'

const problemOf = (options: Partial<LoopDetectionSettings>) =>
  problemOfThresholds({ ...standardLoopDetection, ...options })

describe('given the defaults', () => {
  it('they fit together', () => {
    expect(problemOf({})).toBeUndefined()
  })
})

describe('given thresholds that do not fit together', () => {
  it.each([
    [{ warningThreshold: 20 }, 'warningThreshold (20) must be below criticalThreshold (20)'],
    [
      { criticalThreshold: 30, historySize: 60 },
      'criticalThreshold (30) must be below globalCircuitBreakerThreshold (30)',
    ],
    [{ historySize: 19 }, 'criticalThreshold (20) can never be reached: historySize (19) holds fewer calls'],
    [{ cycleRepeats: 65 }, 'cycleRepeats (65) can never be reached: the latest 64 calls are kept'],
    [{ cycleRepeats: 101, historySize: 100 }, 'the latest 100 calls are kept'],
    [{ sameFailureThreshold: 65 }, 'sameFailureThreshold (65) can never be reached'],
    [
      { repeatedReplyThreshold: 16 },
      'repeatedReplyThreshold (16) can never be reached: the latest 15 replies are kept',
    ],
  ])('%j is refused with the reason', (options, problem) => {
    expect(problemOf(options)).toContain(problem)
  })

  it.each([
    { warningThreshold: 19 },
    { criticalThreshold: 29 },
    { historySize: 20 },
    { historySize: 150 },
    { cycleRepeats: 64 },
    { cycleRepeats: 100, historySize: 100 },
    { sameFailureThreshold: 64 },
    { repeatedReplyThreshold: 15 },
    { criticalThreshold: 150, globalCircuitBreakerThreshold: 151, historySize: 150 },
  ])('%j just fits', (options) => {
    expect(problemOf(options)).toBeUndefined()
  })

  const off = { generic_repeat: 'off', ping_pong: 'off', argument_churn: 'off' } as const
  it.each<[string, Partial<LoopDetectionSettings>]>([
    ['of detectors that are off', { historySize: 5, detectors: off }],
    ['where everything is off', { mode: 'off', warningThreshold: 50, historySize: 3, cycleRepeats: 1000 }],
    ['of a breaker that is off', { criticalThreshold: 30, detectors: { global_circuit_breaker: 'off' } }],
    [
      'of a breaker that stands alone',
      { globalCircuitBreakerThreshold: 5, detectors: { ...off, known_poll_no_progress: 'off' } },
    ],
  ])('are not compared %s', (_, options) => {
    expect(problemOf(options)).toBeUndefined()
  })

  it('are compared where a detector is only in shadow: it would never fire', () => {
    expect(problemOf({ mode: 'shadow', historySize: 19 })).toContain('can never be reached')
  })
})

const threshold = fc.integer({ min: 2, max: 150 })

describe('given any numbers', () => {
  test.prop([
    fc.record(
      {
        historySize: threshold,
        warningThreshold: threshold,
        criticalThreshold: threshold,
        globalCircuitBreakerThreshold: threshold,
      },
      { requiredKeys: [] },
    ),
  ])('what is accepted can be reached, and in order', (options) => {
    const settings = { ...standardLoopDetection, ...options }
    const { historySize, warningThreshold, criticalThreshold, globalCircuitBreakerThreshold } = settings
    if (problemOf(options) !== undefined) return
    expect(warningThreshold).toBeLessThan(criticalThreshold)
    expect(criticalThreshold).toBeLessThanOrEqual(historySize)
    expect(criticalThreshold).toBeLessThan(globalCircuitBreakerThreshold)
  })
})
