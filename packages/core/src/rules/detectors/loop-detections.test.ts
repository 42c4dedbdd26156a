import { standardLoopDetection, type LoopDetectionSettings } from '../../events/settings/index.ts'
import { describe, expect, it } from 'vitest'
import type { RuleMode } from '../../base/index.ts'
import { continues, modeOf, problemOfThresholds } from './loop-detections.ts'
import type { Detection } from './detection.ts'
import { fc, test } from '@fast-check/vitest'
import { begun, edited, given, type Step } from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
} from '../../testing/facts.ts'

function signWith(continuedBy: Detection['continuedBy']): Detection {
  const words = { key: 'k', message: 'm', advice: 'a' }
  return { detector: 'cycle', level: 'critical', ...words, numbers: {}, continuedBy, basedOn: [1] }
}

describe('given a detection', () => {
  it.each<[string, Detection['continuedBy'], boolean]>([
    ['its call', ['run_shell:1', 'run_shell:2'], true],
    ['other calls', ['run_shell:3'], false],
    ['its tool', { tool: 'run_shell' }, true],
    ['another tool', { tool: 'read_file' }, false],
    ['any call', 'any-call', true],
    ['nothing that can be refused', [], false],
  ])('that is continued by %s, the call goes on with it or not', (_, continuedBy, expected) => {
    expect(continues(signWith(continuedBy), { tool: 'run_shell', key: 'run_shell:2' })).toBe(expected)
  })
})

describe('given modes', () => {
  it.each<[RuleMode, RuleMode | undefined, RuleMode]>([
    ['on', undefined, 'on'],
    ['on', 'on', 'on'],
    ['on', 'shadow', 'shadow'],
    ['on', 'off', 'off'],
    ['shadow', undefined, 'shadow'],
    ['shadow', 'on', 'shadow'],
    ['shadow', 'shadow', 'shadow'],
    ['shadow', 'off', 'off'],
    ['off', undefined, 'off'],
    ['off', 'on', 'off'],
    ['off', 'shadow', 'off'],
  ])('all %s and one %s: it is %s', (mode, own, expected) => {
    const detectors = own === undefined ? {} : { cycle: own }
    expect(modeOf({ ...standardLoopDetection, mode, detectors }, 'cycle')).toBe(expected)
  })
})

const problemOf = (options: Partial<LoopDetectionSettings>) =>
  problemOfThresholds({ ...standardLoopDetection, ...options })

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

function refused(turn: number): readonly Step[] {
  return [modelCalled(turn), modelProposed('a', 'b'), toolRefused('a', 'gate'), toolRefused('b', 'approver')]
}

const twice: readonly Step[] = [refused(1), turnEnded(1), refused(2), turnEnded(2)]

describe('given an agent whose calls are all refused', () => {
  it('goes on after one turn and after two', () => {
    given(begun(), refused(1))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'tool_calls' } })
    given(begun(), refused(1), turnEnded(1), refused(2)).whenDecided().then({ kind: 'continue' })
  })

  it('ends at the third turn in a row: there is no other way', () => {
    given(begun(), twice, refused(3))
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'permission_denied',
          outcome: 'blocked',
          findings: ['refused_calls'],
          message: 'every tool call of 3 turns in a row was refused',
        },
      })
  })

  it('starts anew after a turn in which one call ran', () => {
    const half = [
      modelCalled(3),
      modelProposed('a', 'b'),
      toolRefused('a'),
      toolCalled('b', 'read'),
      toolReturned('b'),
    ]
    given(begun(), twice, half).whenDecided().then({ kind: 'continue' })
    given(begun(), twice, half, turnEnded(3), refused(4), turnEnded(4), refused(5))
      .whenDecided()
      .then({ kind: 'continue' })
    given(begun(), twice, edited(3, 't'), turnEnded(3), refused(4)).whenDecided().then({ kind: 'continue' })
  })

  it.each(['cap', 'schema', 'record'] as const)('is not about calls that were refused by %s', (by) => {
    const turn = (number: number) => [modelCalled(number), modelProposed('a'), toolRefused('a', by)]
    given(begun(), turn(1), turnEnded(1), turn(2), turnEnded(2), turn(3))
      .whenDecided()
      .then({ kind: 'continue' })
  })
})
