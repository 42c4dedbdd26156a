import { describe, expect, it } from 'vitest'
import { begun, claimed, given } from '../testing/index.ts'
import { modelFailed, turnEnded } from '../testing/facts.ts'
import { retryDelayMs } from '../state/index.ts'

describe('given a next turn', () => {
  it('is called at once, with the next number', () => {
    given(begun()).whenDecided().then({ kind: 'call-model', turn: 1, attempt: 1 })
    given(begun(), claimed(1), turnEnded(1)).whenDecided().then({ kind: 'call-model', turn: 2, attempt: 1 })
  })
})

describe('given a call that failed and may be tried again', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [4, 4000],
    [40, 30_000],
  ])('waits longer after every failure, up to half a minute: after %s, %s ms', (attempt, delayMs) => {
    expect(retryDelayMs(attempt, modelFailed().failure)).toBe(delayMs)
  })

  it('waits as long as the provider asks for', () => {
    expect(retryDelayMs(3, { retryAfterMs: 7000 })).toBe(7000)
  })
})
