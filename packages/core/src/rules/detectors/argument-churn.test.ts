import { describe, expect, it } from 'vitest'
import { argumentChurn } from './failures.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

const page = { tool: 'read_file', outcome: 'the same page' } as const
/** Every argument is new, the outcome stays. */
const offsets = (count: number, more: Partial<Extract<Made, { tool?: string }>> = {}) =>
  times(count, (at) => ({ ...page, call: `offset ${at}`, ...more }))
/** Four arguments that come back. */
const comingBack = (count: number, more: Partial<Extract<Made, { tool?: string }>> = {}) =>
  times(count, (at) => ({ ...page, call: `offset ${at % 4}`, ...more }))
const failed = { outcome: 'E501', failure: 'E501', said: 'little' } as const

describe('given one tool, other arguments every time, and a page of text that stays', () => {
  it('tells after half of 10 and refuses after 20', () => {
    expect(firstAt(argumentChurn, offsets(25))).toEqual({ warning: 5, critical: 20 })
  })

  it('refuses the tool, whatever the arguments', () => {
    expect(argumentChurn(viewOf(offsets(20)))).toMatchObject({
      detector: 'argument_churn',
      numbers: { calls: 20, differentArguments: 20 },
      continuedBy: { tool: 'read_file' },
    })
  })

  it('asks for three different arguments at least', () => {
    const settings = { warningThreshold: 2, criticalThreshold: 4, warmUpCalls: 0 }
    expect(firstAt(argumentChurn, offsets(5), settings)).toEqual({ warning: 3, critical: 4 })
    expect(
      levelOf(
        argumentChurn,
        times(20, (at) => ({ ...page, call: `offset ${at % 2}` })),
      ),
    ).toBeUndefined()
    expect(
      levelOf(
        argumentChurn,
        times(20, (at) => ({ ...page, call: `offset ${at % 3}` })),
      ),
    ).toBe('critical')
  })

  it('refuses nothing before the run is warm', () => {
    const settings = { warningThreshold: 4, criticalThreshold: 5, warmUpCalls: 7 }
    expect(firstAt(argumentChurn, offsets(9), settings)).toEqual({ warning: 3, critical: 7 })
  })

  it('refuses nothing that was asked for in two batches, however large', () => {
    const batches = times(25, (at) => ({ ...page, call: `offset ${at}`, turn: at < 12 ? 1 : 2 }))
    expect(firstAt(argumentChurn, batches)).toEqual({ warning: 5 })
    expect(levelOf(argumentChurn, [...batches, { ...page, call: 'offset 25', turn: 3 }])).toBe('critical')
  })

  it('lets one turn through after a refusal, and refuses again where nothing else comes of it', () => {
    const vetoed: Made = { tool: 'read_file', call: 'offset 20', outcome: null, callStatus: 'vetoed' }
    expect(levelOf(argumentChurn, [...offsets(20), vetoed])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(20), vetoed, { ...page, call: 'offset 21' }])).toBe('critical')
    expect(
      levelOf(argumentChurn, [...offsets(20), vetoed, { tool: 'read_file', outcome: 'new' }]),
    ).toBeUndefined()
  })
})

describe('given a row that is interrupted', () => {
  it.each<[string, Made]>([
    ['another tool', {}],
    ['another outcome', { tool: 'read_file', outcome: 'another page' }],
    ['an outcome that nobody knows', { tool: 'read_file', outcome: null }],
    ['progress', 'progress'],
  ])('begins anew after %s', (_, between) => {
    expect(levelOf(argumentChurn, [...offsets(19), between])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(19), between, ...offsets(4)])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(19), between, ...offsets(5)])).toBe('warning')
  })
})

describe('given work through a list, which looks alike', () => {
  it.each<[string, Partial<Extract<Made, { tool?: string }>>]>([
    ['a short acknowledgement, such as ok', { outcome: 'ok', said: 'little' }],
    ['no words at all', { outcome: '', said: 'nothing' }],
    ['edits of many files, however much they say', { edits: true }],
    ['waiting', { waits: true }],
  ])('lets 45 calls with %s be', (_, more) => {
    const calls = times(45, (at) => ({ ...page, call: `file ${at}`, ...more }))
    expect(firstAt(argumentChurn, calls)).toEqual({})
  })

  it('does not refuse a linter that finds the same in each of 25 files', () => {
    expect(firstAt(argumentChurn, offsets(29, failed))).toEqual({ warning: 27 })
  })

  it('has patience with it until the breaker would open', () => {
    expect(firstAt(argumentChurn, offsets(35, failed))).toEqual({ warning: 27, critical: 30 })
    expect(firstAt(argumentChurn, offsets(35, failed), { historySize: 24 })).toEqual({
      warning: 22,
      critical: 24,
    })
  })

  it('has no such patience with a list whose items come back', () => {
    expect(firstAt(argumentChurn, comingBack(25, failed))).toMatchObject({ critical: 20 })
  })

  it('is a list also where a quarter of its items is tried once more, and none where more is', () => {
    const again = (count: number) => [...offsets(count, failed), ...offsets(24 - count, failed)]
    expect(levelOf(argumentChurn, again(18))).toBeUndefined()
    expect(levelOf(argumentChurn, again(17))).toBe('critical')
  })

  it('has it with the few words of a tool that only reads, but not for ever', () => {
    const noMatches = { tool: 'search', outcome: 'no matches', said: 'little', looks: true } as const
    expect(firstAt(argumentChurn, offsets(35, noMatches))).toEqual({ warning: 27, critical: 30 })
    expect(firstAt(argumentChurn, comingBack(25, noMatches))).toMatchObject({ critical: 20 })
    expect(firstAt(argumentChurn, offsets(35, { ...noMatches, said: 'nothing' }))).toEqual({})
  })
})
