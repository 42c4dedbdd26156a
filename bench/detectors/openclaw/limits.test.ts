import { describe, expect, it } from 'vitest'
import { limitsOf, loopConfigSchema } from './limits.ts'

describe('given settings to load', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    [
      'all',
      {
        enabled: true,
        historySize: 30,
        warningThreshold: 10,
        criticalThreshold: 20,
        globalCircuitBreakerThreshold: 30,
      },
    ],
    ['a switch', { detectors: { pingPong: false } }],
    ['a history shorter than the limits, which can never fire', { historySize: 4, criticalThreshold: 5 }],
    ['one limit below the default of the other', { criticalThreshold: 5 }],
  ])('takes %s', (_, config) => {
    expect(loopConfigSchema.safeParse(config).success).toBe(true)
  })

  it.each<[string, unknown]>([
    ['an unknown key', { repeatThreshold: 3 }],
    ['an unknown switch', { detectors: { globalCircuitBreaker: false } }],
    ['zero', { warningThreshold: 0 }],
    ['a fraction', { historySize: 1.5 }],
    ['a warning that is not below critical', { warningThreshold: 20, criticalThreshold: 20 }],
    ['critical that is not below the breaker', { criticalThreshold: 30, globalCircuitBreakerThreshold: 30 }],
  ])('refuses %s', (_, config) => {
    expect(loopConfigSchema.safeParse(config).success).toBe(false)
  })
})

describe('given settings at run time', () => {
  it('has its defaults', () => {
    expect(limitsOf(undefined)).toEqual({
      enabled: false,
      historySize: 30,
      warning: 10,
      critical: 20,
      breaker: 30,
      detects: { genericRepeat: true, poll: true, pingPong: true },
    })
  })

  it('mends what the schema would refuse', () => {
    const limits = limitsOf({
      historySize: -1,
      warningThreshold: 25,
      criticalThreshold: 20,
      globalCircuitBreakerThreshold: 3,
    })
    expect(limits).toMatchObject({ historySize: 30, warning: 25, critical: 26, breaker: 27 })
  })
})
