import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { detectorNames } from '../../../events/settings/index.ts'
import type { LoopDetectionOptions } from './loop-options.ts'
import { loopDetectionSettings } from './loop-settings.ts'
import { standardLoopDetection } from './standard-settings.ts'

/** Options as they come from a file or from JavaScript, where no compiler has looked at them. */
function read(options: object) {
  return loopDetectionSettings(options)
}

function problemOf(options: object): string {
  const reading = read(options)
  return reading.kind === 'refused' ? reading.problem : `accepted: ${JSON.stringify(options)}`
}

function settingsOf(options: LoopDetectionOptions) {
  const reading = loopDetectionSettings(options)
  if (reading.kind === 'refused') throw new TypeError(reading.problem)
  return reading.settings
}

describe('given nothing', () => {
  it('gives the defaults', () => {
    expect(settingsOf({})).toEqual(standardLoopDetection)
  })
})

describe('given options', () => {
  it('gives each its place', () => {
    const settings = settingsOf({
      mode: 'shadow',
      detectors: { ping_pong: false, cycle: true, same_failure: 'shadow' },
      historySize: 100,
      warningThreshold: 3,
      criticalThreshold: 7,
      globalCircuitBreakerThreshold: 50,
      circuitBreakerCounts: 'every-call',
      repeatCounts: 'same-call',
      warmUpCalls: 0,
      cycleRepeats: 5,
      sameFailureThreshold: 8,
      failedCheckRepeatThreshold: 9,
      repeatedReplyThreshold: 11,
      vetoesUntilEnd: 0,
      tools: { job_state: { poll: true, volatileResults: ['elapsed'] } },
    })
    expect(settings).toEqual({
      mode: 'shadow',
      detectors: { ping_pong: 'off', cycle: 'on', same_failure: 'shadow' },
      historyCalls: 100,
      warningCalls: 3,
      criticalCalls: 7,
      breakerCalls: 50,
      breakerCounts: 'every-call',
      repeatCounts: 'same-call',
      warmUpCalls: 0,
      cycleRepeats: 5,
      sameFailures: 8,
      failedCheckRepeats: 9,
      repeatedReplies: 11,
      vetoesUntilEnd: 0,
      tools: { job_state: { poll: true, volatileResults: ['elapsed'] } },
    })
  })

  it('takes true for on and false for off', () => {
    expect(settingsOf({ mode: false }).mode).toBe('off')
    expect(settingsOf({ mode: true }).mode).toBe('on')
  })

  it('takes undefined for nothing said', () => {
    expect(read({ mode: undefined, historySize: undefined, detectors: { cycle: undefined } })).toEqual({
      kind: 'settings',
      settings: standardLoopDetection,
    })
  })
})

describe('given a name that there is not', () => {
  it.each([
    [
      { warningTreshold: 5 },
      'there is no option "warningTreshold" of loop detection; did you mean "warningThreshold"?',
    ],
    [
      { detectors: { pingpong: 'off' } },
      'there is no detector "pingpong" of loop detection; did you mean "ping_pong"?',
    ],
    [
      { tools: { wait: { pol: true } } },
      'there is no trait (tools.wait) "pol" of loop detection; did you mean "poll"?',
    ],
  ])('%j is refused with the nearest one', (options, problem) => {
    expect(problemOf(options)).toBe(problem)
  })

  it('lists them where none is near', () => {
    const problem = problemOf({ detectors: { everything: 'off' } })
    for (const name of detectorNames) expect(problem).toContain(name)
  })

  it('is not deceived by names that every object has', () => {
    expect(problemOf({ detectors: { constructor: 'off' } })).toContain('no detector "constructor"')
    expect(problemOf({ toString: 5 })).toContain('no option "toString"')
  })
})

describe('given a value of the wrong kind', () => {
  it.each([
    [{ mode: 'yes' }, 'mode must be "on", "shadow", "off", true or false, not "yes"'],
    [{ mode: null }, 'not null'],
    [{ detectors: { cycle: 1 } }, 'detectors.cycle must be "on", "shadow", "off", true or false, not 1'],
    [{ detectors: ['cycle'] }, 'detectors must be an object'],
    [{ repeatCounts: 'all' }, 'must be "same-result" or "same-call", not "all"'],
    [{ circuitBreakerCounts: 'all' }, 'must be "no-progress" or "every-call", not "all"'],
    [{ historySize: 0 }, 'historySize must be a whole number of at least 2, not 0'],
    [{ historySize: '30' }, 'not "30"'],
    [{ warningThreshold: 1 }, 'warningThreshold must be a whole number of at least 2, not 1'],
    [{ criticalThreshold: -3 }, 'not -3'],
    [{ criticalThreshold: 2.5 }, 'not 2.5'],
    [{ criticalThreshold: Number.NaN }, 'not NaN'],
    [{ globalCircuitBreakerThreshold: Number.POSITIVE_INFINITY }, 'not Infinity'],
    [{ warmUpCalls: -1 }, 'warmUpCalls must be a whole number of at least 0, not -1'],
    [{ cycleRepeats: 1 }, 'cycleRepeats must be a whole number of at least 2'],
    [{ sameFailureThreshold: 1 }, 'at least 2'],
    [{ failedCheckRepeatThreshold: 1 }, 'at least 2'],
    [{ repeatedReplyThreshold: 1 }, 'at least 2'],
    [{ vetoesUntilEnd: -1 }, 'at least 0'],
    [{ tools: [] }, 'tools must be an object'],
    [{ tools: { a: true } }, 'tools.a must be an object such as { readOnly: true }, not true'],
    [{ tools: { a: { poll: 'yes' } } }, 'tools.a.poll must be true or false, not "yes"'],
    [{ tools: { a: { volatileResults: 'id' } } }, 'must be a list of keys such as ["requestId"], not "id"'],
    [{ tools: { a: { volatileArguments: [1] } } }, 'must be a list of keys'],
    [{ tools: { a: { readOnly: true, mutating: true } } }, 'tools.a cannot be readOnly and mutating at once'],
    [[], 'loopDetection must be an object of options, not []'],
  ])('%j is refused', (options, problem) => {
    expect(problemOf(options)).toContain(problem)
  })

  it('is refused also where the detector is off: a mistake is a mistake', () => {
    expect(problemOf({ mode: 'off', criticalThreshold: 'many' })).toContain('criticalThreshold must be')
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
    [{ historySize: 151 }, 'historySize (151) must not be above 150'],
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
    expect(read(options).kind).toBe('settings')
  })

  const off = { generic_repeat: false, ping_pong: false, argument_churn: false } as const
  it.each<[string, LoopDetectionOptions]>([
    ['of detectors that are off', { historySize: 5, detectors: off }],
    ['where everything is off', { mode: 'off', warningThreshold: 50, historySize: 3, cycleRepeats: 1000 }],
    ['of a breaker that is off', { criticalThreshold: 30, detectors: { global_circuit_breaker: 'off' } }],
    [
      'of a breaker that stands alone',
      { globalCircuitBreakerThreshold: 5, detectors: { ...off, known_poll_no_progress: false } },
    ],
  ])('are not compared %s', (_, options) => {
    expect(loopDetectionSettings(options).kind).toBe('settings')
  })

  it('are compared where a detector is only in shadow: it would never fire', () => {
    expect(problemOf({ mode: 'shadow', historySize: 19 })).toContain('can never be reached')
  })
})

const threshold = fc.integer({ min: -2, max: 240 })

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
    const reading = loopDetectionSettings(options)
    if (reading.kind === 'refused') {
      expect(reading.problem).not.toBe('')
      return
    }
    const { historyCalls, warningCalls, criticalCalls, breakerCalls } = reading.settings
    expect(warningCalls).toBeLessThan(criticalCalls)
    expect(criticalCalls).toBeLessThanOrEqual(historyCalls)
    expect(criticalCalls).toBeLessThan(breakerCalls)
    expect(historyCalls).toBeLessThanOrEqual(150)
  })

  test.prop([fc.jsonValue()])('anything at all gives settings or a reason, and never throws', (value) => {
    const reading = read(typeof value === 'object' && value !== null ? value : { value })
    expect(['settings', 'refused']).toContain(reading.kind)
  })
})
