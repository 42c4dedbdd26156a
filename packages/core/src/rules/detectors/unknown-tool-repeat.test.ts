import { describe, expect, it } from 'vitest'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'
import { unknownToolRepeat } from './unknown-tool-repeat.ts'

const unknown = (tool: string, more: Partial<Extract<Made, { tool?: string }>> = {}): Made => {
  const outcome = `unknown-tool:${tool}`
  return { tool, outcome, failure: outcome, callStatus: 'unknown-tool', ...more }
}

describe('given calls of tools that do not exist', () => {
  it('tells after half of them and ends after all', () => {
    expect(
      firstAt(
        unknownToolRepeat,
        times(12, () => unknown('python')),
      ),
    ).toEqual({ warning: 5, hopeless: 10 })
  })

  it('does not care about names and arguments', () => {
    const row = times(10, (at) => unknown(`tool_${at}`))
    expect(unknownToolRepeat(viewOf(row))).toMatchObject({
      detector: 'unknown_tool_repeat',
      level: 'hopeless',
      numbers: { calls: 10 },
    })
  })

  it('counts as far as it is told; half of an odd number is rounded up', () => {
    const row = times(8, () => unknown('python'))
    expect(firstAt(unknownToolRepeat, row, { unknownToolCalls: 7 })).toEqual({ warning: 4, hopeless: 7 })
  })

  it('does not end a run that has had no chance to learn: all calls in two turns', () => {
    const batches = times(20, (at) => unknown('python', { turn: at < 10 ? 1 : 2 }))
    expect(levelOf(unknownToolRepeat, batches)).toBe('warning')
    expect(levelOf(unknownToolRepeat, [...batches, unknown('python', { turn: 3 })])).toBe('hopeless')
  })

  it('ends nothing before the run is warm', () => {
    const settings = { unknownToolCalls: 4, warmUpCalls: 6 }
    const row = times(8, () => unknown('python'))
    expect(firstAt(unknownToolRepeat, row, settings)).toEqual({ warning: 2, hopeless: 6 })
  })
})

describe('given a call that ran', () => {
  it('begins anew, even if it failed', () => {
    const row = times(9, () => unknown('python'))
    expect(levelOf(unknownToolRepeat, [...row, { failure: 'no' }])).toBeUndefined()
    expect(levelOf(unknownToolRepeat, [...row, {}, unknown('python')])).toBeUndefined()
  })

  it('passes over vetoes: they say nothing about tools', () => {
    const row = times(9, () => unknown('python'))
    expect(
      levelOf(unknownToolRepeat, [...row, { callStatus: 'vetoed', outcome: null }, unknown('python')]),
    ).toBe('hopeless')
  })
})
