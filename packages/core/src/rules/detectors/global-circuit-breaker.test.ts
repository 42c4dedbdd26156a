import { describe, expect, it } from 'vitest'
import { globalCircuitBreaker } from './equal-calls.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

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

  it('rounds up where a third is no whole number', () => {
    expect(firstAt(globalCircuitBreaker, failing(9), { globalCircuitBreakerThreshold: 8 })).toEqual({
      warning: 6,
      critical: 8,
    })
    expect(firstAt(globalCircuitBreaker, failing(9), { globalCircuitBreakerThreshold: 7 })).toEqual({
      warning: 5,
      critical: 7,
    })
  })

  it('refuses nothing before the run is warm', () => {
    const settings = { globalCircuitBreakerThreshold: 3, warmUpCalls: 5 }
    expect(firstAt(globalCircuitBreaker, failing(9), settings)).toEqual({ warning: 2, critical: 5 })
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

  it('never opens for work that gets on', () => {
    expect(
      levelOf(
        globalCircuitBreaker,
        times(500, () => ({})),
      ),
    ).toBeUndefined()
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
