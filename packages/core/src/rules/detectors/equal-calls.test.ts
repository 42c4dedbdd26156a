import { describe, expect, it } from 'vitest'
import { genericRepeat, pingPong, globalCircuitBreaker } from './equal-calls.ts'
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

  it('is not deceived by calls between them, as far as the history holds them', () => {
    const mixed = times(60, (at) => (at % 3 === 0 ? {} : same))
    expect(firstAt(genericRepeat, mixed)).toEqual({ warning: 15, critical: 30 })
    expect(firstAt(genericRepeat, mixed, { historySize: 28 })).toEqual({ warning: 15 })
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
})

/** Fails in a new way with every call. */
const failing = (count: number) => times(count, (at) => ({ failure: `failure ${at}` }))
const everyCall = { circuitBreakerCounts: 'every-call' } as const

describe('given calls of any kind without progress', () => {
  it('tells after two thirds of 30 and refuses after 30', () => {
    expect(firstAt(globalCircuitBreaker, failing(35))).toEqual({ warning: 20, critical: 30 })
  })

  it('refuses whatever is called next', () => {
    expect(globalCircuitBreaker(viewOf(failing(30)))).toMatchObject({
      detector: 'global_circuit_breaker',
      numbers: { calls: 30 },
      continuedBy: 'any-call',
    })
  })

  it('counts repetitions, failures and unknown outcomes alike', () => {
    const kinds: readonly Made[] = [['a'], { failure: 'no' }, ['b', null]]
    const mixed = times(31, (at) => (at === 0 ? ['a'] : (kinds[at % 3] ?? {})))
    expect(firstAt(globalCircuitBreaker, mixed)).toEqual({ warning: 21, critical: 31 })
  })

  it('counts neither an edit that changed nothing as progress, nor a piece of a list as the lack of it', () => {
    const idle = times(31, () => ({ noOp: true }))
    expect(firstAt(globalCircuitBreaker, idle)).toEqual({ warning: 20, critical: 30 })
    const listed = times(31, (at) => ({ failure: `failure ${at}`, pattern: 'lint' }))
    expect(firstAt(globalCircuitBreaker, listed)).toEqual({})
  })

  it('is half open after a refusal: the drive may try once, and another failure opens it again', () => {
    const vetoed: Made = { callStatus: 'vetoed', outcome: null }
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed])).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed, ...failing(1)])).toBe('critical')
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed, {}])).toBeUndefined()
  })
})

describe('given progress', () => {
  it.each<[string, Made]>([
    ['something new that succeeded', {}],
    ['work that became new', 'progress'],
  ])('closes with %s', (_, progress) => {
    expect(levelOf(globalCircuitBreaker, [...failing(29), progress])).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...failing(29), progress, ...failing(19)])).toBeUndefined()
  })

  it('neither counts pauses on purpose nor takes them for progress', () => {
    const slept: Made = { call: 'sleep 30', outcome: '', waits: true, pauses: true }
    const job = [slept, ...failing(19), ...times(40, () => slept)]
    expect(levelOf(globalCircuitBreaker, job)).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...job, ...failing(1)])).toBe('warning')
  })
})

describe('given a breaker that counts every call', () => {
  it('counts those that made progress too', () => {
    expect(
      firstAt(
        globalCircuitBreaker,
        times(35, () => ({})),
        everyCall,
      ),
    ).toEqual({ warning: 20, critical: 30 })
    expect(levelOf(globalCircuitBreaker, [...times(30, () => ({})), 'progress'], everyCall)).toBe('critical')
  })

  it('stays open after a refusal', () => {
    const vetoed: Made = { callStatus: 'vetoed', outcome: null }
    expect(levelOf(globalCircuitBreaker, [...times(30, () => ({})), vetoed], everyCall)).toBe('critical')
  })
})
