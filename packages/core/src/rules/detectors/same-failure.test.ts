import { describe, expect, it } from 'vitest'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'
import { sameFailure } from './failures.ts'

const warm = times(6, () => ({}))
const failed = (call: string, more: Partial<Extract<Made, { tool?: string }>> = {}): Made => ({
  call,
  outcome: 'refused',
  failure: 'refused',
  ...more,
})
const ofTwoCalls = (count: number) => times(count, (at) => failed(`call ${at % 2}`))
const overTools = (count: number) => times(count, (at) => failed(`call ${at}`, { tool: `tool ${at % 5}` }))
const files = (count: number) => times(count, (at) => failed(`lint file ${at}`))
const after = (first: Partial<Record<string, number>>) =>
  Object.fromEntries(Object.entries(first).map(([level, at]) => [level, (at ?? 0) - warm.length]))

describe('given one failure in a row', () => {
  it('tells when calls have come back twice, and refuses when they have three times', () => {
    const one = times(4, () => failed('npm test'))
    expect(after(firstAt(sameFailure, [...warm, ...one]))).toEqual({ warning: 3, critical: 4 })
    expect(after(firstAt(sameFailure, [...warm, ...ofTwoCalls(5)]))).toEqual({ warning: 4, critical: 5 })
  })

  it('does not care about tools and arguments, but has patience with calls that each were tried once', () => {
    const first = after(firstAt(sameFailure, [...warm, ...overTools(45)]))
    const { warning = 0, critical = 0, hopeless = 0 } = first
    expect(warning).toBeGreaterThan(6)
    expect(critical).toBeGreaterThan(25)
    expect(hopeless).toBeGreaterThan(critical)
    expect(hopeless).toBeLessThanOrEqual(40)
  })

  it('sees it among other calls, when it is half of all that is kept', () => {
    const everySecond = times(60, (at) => (at % 2 === 0 ? failed(`call ${at}`) : {}))
    expect(firstAt(sameFailure, everySecond).hopeless).toBe(59)
    const everyThird = times(120, (at) => (at % 3 === 0 ? failed(`call ${at}`) : {}))
    expect(firstAt(sameFailure, everyThird)).toEqual({})
  })

  it('counts as far as it is told', () => {
    const { warning, critical } = after(
      firstAt(sameFailure, [...warm, ...ofTwoCalls(12)], { sameFailureThreshold: 7 }),
    )
    expect([warning, critical]).toEqual([7, 8])
  })

  it('refuses nothing before the run is warm', () => {
    expect(firstAt(sameFailure, ofTwoCalls(9), { warmUpCalls: 8 })).toEqual({ warning: 4, critical: 8 })
  })

  it('refuses the calls that failed, and no others', () => {
    expect(sameFailure(viewOf([...warm, ...ofTwoCalls(5)]))).toMatchObject({
      detector: 'same_failure',
      numbers: { failures: 5 },
      continuedBy: ['call 0', 'call 1'],
    })
  })

  it('takes a veto for one more try of what failed, and passes over vetoes of other calls', () => {
    const vetoed = failed('call 0', { callStatus: 'vetoed' })
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(5), vetoed])).toBe('critical')
    const other = { call: 'other', outcome: null, failure: null, callStatus: 'vetoed' as const }
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), other, failed('call 0')])).toBe('critical')
  })
})

describe('given something between the failures', () => {
  it.each<[string, Made]>([
    ['a success', {}],
    ['another failure', { failure: 'another' }],
  ])('begins anew after %s, where other calls fail then', (_, between) => {
    const others = times(3, (at) => failed(`other ${at % 2}`))
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), between])).toBeUndefined()
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), between, ...others])).toBeUndefined()
  })

  it('counts one call on the same work whatever stands between, and tells one try before it refuses', () => {
    const tries = times(12, (at) => (at % 3 === 0 ? failed('npm test') : {}))
    expect(after(firstAt(sameFailure, [...warm, ...tries]))).toEqual({ warning: 7, critical: 10 })
    const widely = times(40, (at) => (at % 8 === 0 ? failed('npm test') : {}))
    expect(after(firstAt(sameFailure, [...warm, ...widely]))).toEqual({ warning: 17 })
  })

  it('counts tries of one batch once, and none after a wait', () => {
    const batch = times(6, () => failed('npm test', { turn: 9 }))
    expect(levelOf(sameFailure, [...warm, failed('npm test'), {}, ...batch.slice(0, 1)])).toBeUndefined()
    const pause: Made = { call: 'sleep 5', waits: true, pauses: true }
    const asked = times(24, (at) => (at % 2 === 0 ? pause : failed('curl localhost')))
    expect(firstAt(sameFailure, [...warm, ...asked])).toEqual({})
  })

  it('tells of one call in spite of changes, and ends at its thirtieth try', () => {
    const tries = (count: number) =>
      times(count * 2, (at) => (at % 2 === 0 ? 'progress' : failed('npm test')))
    const level = (count: number) => levelOf(sameFailure, [...warm, ...tries(count)])
    expect([7, 8, 29, 30].map(level)).toEqual([undefined, 'warning', 'warning', 'hopeless'])
  })

  it('says nothing of work that was changed since', () => {
    const row = times(5, () => failed('npm test'))
    expect(levelOf(sameFailure, [...warm, ...row])).toBe('critical')
    expect(levelOf(sameFailure, [...warm, ...row, 'progress'])).toBeUndefined()
  })

  it('begins anew with progress: the work is another one', () => {
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), 'progress', ...ofTwoCalls(3)])).toBeUndefined()
  })
})

describe('given work through a list', () => {
  it('neither ends it nor refuses the next file, where a linter says the same of 25', () => {
    const first = after(firstAt(sameFailure, [...warm, ...files(25)]))
    expect(first['hopeless']).toBeUndefined()
    const detection = sameFailure(viewOf([...warm, ...files(25)]))
    expect(detection?.continuedBy).not.toContain('lint file 25')
  })

  it('is no list where the arguments come back', () => {
    expect(levelOf(sameFailure, [...warm, ...files(10), ...files(3)])).toBe('critical')
  })
})
