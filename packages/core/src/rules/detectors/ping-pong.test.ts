import { describe, expect, it } from 'vitest'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'
import { pingPong } from './equal-calls.ts'

const turns = (count: number) => times(count, (at) => (at % 2 === 0 ? ['a'] : ['b']))

describe('given two calls in turn whose outcomes stay', () => {
  it('tells after the 10th call of both together and refuses after the 20th', () => {
    expect(firstAt(pingPong, turns(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('refuses both of them, and is one loop whichever comes last', () => {
    const [even, odd] = [pingPong(viewOf(turns(20))), pingPong(viewOf(turns(21)))]
    expect(even).toMatchObject({ detector: 'ping_pong', numbers: { calls: 20 }, continuedBy: ['b', 'a'] })
    expect(odd).toMatchObject({ numbers: { calls: 21 }, continuedBy: ['a', 'b'] })
    expect(even?.key).toBe(odd?.key)
  })

  it('names both tools, or the one', () => {
    const edits = times(20, (at): Made => (at % 2 === 0 ? { tool: 'edit', call: 'a', outcome: 'x' } : ['b']))
    expect(pingPong(viewOf(edits))?.message).toBe(
      'edit and run_shell took turns 20 times with the same results',
    )
    expect(pingPong(viewOf(turns(20)))?.message).toContain('two calls of run_shell')
  })

  it('counts as far as it is told, odd numbers as well', () => {
    const settings = { warningThreshold: 5, criticalThreshold: 7, warmUpCalls: 0 }
    expect(firstAt(pingPong, turns(9), settings)).toEqual({ warning: 5, critical: 7 })
  })

  it('refuses nothing before the run is warm', () => {
    const settings = { warningThreshold: 2, criticalThreshold: 4, warmUpCalls: 6 }
    expect(firstAt(pingPong, turns(9), settings)).toMatchObject({ critical: 6 })
  })

  it('looks back no further than the history', () => {
    expect(pingPong(viewOf(turns(60)))?.numbers).toEqual({ calls: 30 })
  })

  it('counts vetoes', () => {
    const vetoed: Made = { call: 'a', outcome: 'outcome of a', callStatus: 'vetoed' }
    expect(levelOf(pingPong, [...turns(18), vetoed, ['b']])).toBe('critical')
  })
})

describe('given two calls in turn that are no ping-pong', () => {
  it('says nothing where one of the outcomes changes', () => {
    expect(
      firstAt(
        pingPong,
        times(40, (at) => (at % 2 === 0 ? ['a'] : ['b', `${at}`])),
      ),
    ).toEqual({})
  })

  it('says nothing where an outcome is not known', () => {
    expect(
      firstAt(
        pingPong,
        times(40, (at) => (at % 2 === 0 ? ['a'] : ['b', null])),
      ),
    ).toEqual({})
  })

  it('begins anew after a third call', () => {
    expect(levelOf(pingPong, [...turns(18), ['c'], ...turns(9)])).toBeUndefined()
    expect(levelOf(pingPong, [...turns(18), ['c'], ...turns(10)])).toBe('warning')
  })

  it('begins anew where one of them was made twice', () => {
    expect(levelOf(pingPong, [...turns(18), ['b'], ...turns(8)])).toBeUndefined()
    expect(levelOf(pingPong, [...turns(18), ['b'], ...turns(9)])).toBe('warning')
  })

  it('begins anew with progress: edit and test in turn is work', () => {
    expect(
      levelOf(
        pingPong,
        times(60, (at) => (at % 3 === 2 ? 'progress' : [`call ${at % 3}`])),
      ),
    ).toBeUndefined()
  })

  it('leaves a poll and its pauses to another detector', () => {
    const job = times(40, (at): Made =>
      at % 2 === 0 ? { call: 'sleep 5', outcome: '', waits: true } : ['b'],
    )
    expect(levelOf(pingPong, job)).toBeUndefined()
  })

  it('is not about one call alone', () => {
    expect(
      levelOf(
        pingPong,
        times(40, () => ['a']),
      ),
    ).toBeUndefined()
  })
})
