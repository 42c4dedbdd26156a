import { describe, expect, it } from 'vitest'
import { genericRepeat } from './equal-calls.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

const same: Made = ['a']
const row = (count: number) => times(count, () => same)

describe('given one call with one outcome, again and again', () => {
  it('tells after the 10th and refuses after the 20th: the 21st does not run', () => {
    expect(firstAt(genericRepeat, row(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('says which call, how often, and what goes on with it', () => {
    const detection = genericRepeat(viewOf(row(20)))
    expect(detection).toMatchObject({
      detector: 'generic_repeat',
      numbers: { calls: 20 },
      continuedBy: ['a'],
      restsOn: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    })
    expect(detection?.advice).toContain('run_shell 20 times')
  })

  it('counts as far as it is told', () => {
    const settings = { warningThreshold: 2, criticalThreshold: 3, warmUpCalls: 0 }
    expect(firstAt(genericRepeat, row(5), settings)).toEqual({ warning: 2, critical: 3 })
  })

  it('counts results that are nearly the same no further back than the history, and not while new ones stand between', () => {
    const counting = (at: number): Made => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a 2b 3c' })
    const seldom = times(200, (at) => (at % 4 === 0 ? counting(at) : {}))
    expect(firstAt(genericRepeat, seldom)).toEqual({})
    const inTurn = times(60, (at) => (at % 2 === 0 ? counting(at) : {}))
    expect(firstAt(genericRepeat, inTurn)).toEqual({})
  })

  it('is not told while a call in every gap brings something new, and is refused all the same', () => {
    const sprinkled = times(60, (at) => (at % 2 === 0 ? same : {}))
    expect(firstAt(genericRepeat, sprinkled)).toEqual({})
    const mostly = times(60, (at) => (at % 3 === 2 ? {} : same))
    expect(firstAt(genericRepeat, mostly)).toMatchObject({ warning: 14, critical: 29 })
  })

  it('sees results that differ in a counter alone, and no others', () => {
    const counting = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a 2b 3c' }))
    expect(firstAt(genericRepeat, counting)).toEqual({ warning: 10, critical: 20 })
    const changing = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: `1a ${at}` }))
    expect(firstAt(genericRepeat, changing)).toEqual({})
    const waiting = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a', waits: true }))
    expect(firstAt(genericRepeat, waiting)).toEqual({})
  })

  it('counts equal calls whatever came of them where that is wanted', () => {
    const changing = times(25, (at) => ['a', `outcome ${at}`] as const)
    expect(firstAt(genericRepeat, changing)).toEqual({})
    expect(firstAt(genericRepeat, changing, { repeatCounts: 'same-call' })).toEqual({
      warning: 10,
      critical: 20,
    })
    expect(firstAt(genericRepeat, row(25), { repeatCounts: 'same-call' })).toEqual({
      warning: 10,
      critical: 20,
    })
  })

  it('refuses nothing before the run is warm', () => {
    const settings = { warningThreshold: 2, criticalThreshold: 3, warmUpCalls: 6 }
    expect(firstAt(genericRepeat, row(8), settings)).toEqual({ warning: 2, critical: 6 })
  })

  it('is not deceived by calls between them, as far as the history holds them', () => {
    const mixed = times(60, (at) => (at % 3 === 0 ? {} : same))
    expect(firstAt(genericRepeat, mixed)).toEqual({ warning: 15, critical: 30 })
    expect(firstAt(genericRepeat, mixed, { historySize: 28 })).toEqual({ warning: 15 })
  })

  it('says it of a loop that stands still between other calls', () => {
    expect(levelOf(genericRepeat, [...row(20), {}, {}, {}])).toBe('critical')
    expect(levelOf(genericRepeat, [...row(20), ...times(4, () => ({}))])).toBeUndefined()
  })
})

describe('given something that changes', () => {
  it('begins anew with every new outcome', () => {
    expect(
      levelOf(
        genericRepeat,
        times(50, (at) => ['a', `outcome ${at}`]),
      ),
    ).toBeUndefined()
    const changing = [...row(9), ['a', 'other'] as const, ...row(9)]
    expect(levelOf(genericRepeat, changing)).toBeUndefined()
    expect(levelOf(genericRepeat, [...changing, same])).toBe('warning')
  })

  it('begins anew with progress', () => {
    expect(levelOf(genericRepeat, [...row(19), 'progress'])).toBeUndefined()
    expect(levelOf(genericRepeat, [...row(19), 'progress', ...row(9)])).toBeUndefined()
    expect(levelOf(genericRepeat, [...row(19), 'progress', ...row(10)])).toBe('warning')
  })

  it('does not begin anew with progress for a tool that only reads', () => {
    const read: Made = { call: 'a', outcome: 'page', readOnly: true }
    const between = times(38, (at) => (at % 2 === 0 ? read : 'progress'))
    expect(levelOf(genericRepeat, [...between, read])).toBe('critical')
  })
})

describe('given calls that are not compared', () => {
  it('says nothing where no outcome is known: unknown is not equal', () => {
    expect(
      levelOf(
        genericRepeat,
        times(40, () => ['a', null]),
      ),
    ).toBeUndefined()
  })

  it('passes over an unknown outcome between equal ones', () => {
    const some = times(20, (at) => (at % 10 === 5 ? (['a', null] as const) : same))
    expect(levelOf(genericRepeat, some)).toBe('warning')
    expect(levelOf(genericRepeat, [...some, same, same])).toBe('critical')
  })

  it('leaves calls that wait to another detector', () => {
    expect(
      levelOf(
        genericRepeat,
        times(40, () => ({ call: 'a', outcome: 'x', waits: true })),
      ),
    ).toBeUndefined()
  })

  it('leaves calls right after one that waits to that detector, too', () => {
    const job = times(90, (at): Made => (at % 2 === 0 ? { call: 'sleep 5', outcome: '', waits: true } : same))
    expect(firstAt(genericRepeat, job)).toEqual({})
  })

  it('counts equal calls of one batch once: they were asked for at one time', () => {
    const batches = times(57, (at) => ({ call: 'a', outcome: 'x', turn: Math.floor(at / 3) + 1 }))
    expect(genericRepeat(viewOf(batches, { historySize: 60 }))?.numbers).toEqual({ calls: 19 })
  })

  it('counts vetoes: a call that is refused and asked for again is still the same', () => {
    const vetoed: Made = { call: 'a', outcome: 'outcome of a', callStatus: 'vetoed' }
    expect(levelOf(genericRepeat, [...row(19), vetoed])).toBe('critical')
    expect(levelOf(genericRepeat, [...row(20), vetoed, vetoed])).toBe('critical')
  })
})
