import { standardLoopDetection } from '../../events/settings/index.ts'
import { describe, expect, it } from 'vitest'
import type { RuleMode } from '../../base/index.ts'
import { continues, loopDetections, modeOf } from './loop-detections.ts'
import { times, viewOf } from './stories/made-calls.test.ts'
import type { Detection } from './detection.ts'

function signWith(continuedBy: Detection['continuedBy']): Detection {
  const words = { key: 'k', message: 'm', advice: 'a' }
  return { detector: 'cycle', level: 'critical', ...words, numbers: {}, continuedBy, restsOn: [1] }
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

describe('given several detections', () => {
  it('the gravest come first', () => {
    const rank = ['hopeless', 'critical', 'warning']
    const view = viewOf(times(40, () => ({ call: 'a', outcome: 'no', failure: 'no' })))
    const levels = loopDetections(view, 'on').map(({ level }) => rank.indexOf(level))
    expect(new Set(levels).size).toBeGreaterThan(1)
    expect(levels).toEqual(levels.toSorted())
  })
})
