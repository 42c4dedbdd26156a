import { describe, expect, it } from 'vitest'
import { begun, claimed, given, type Step } from '../testing/index.ts'
import {
  interruptRequested,
  modelCalled,
  modelFailed,
  runResumed,
  runStopped,
  turnEnded,
} from '../testing/facts.ts'
import { retryDelayMs } from '../rules/caps/index.ts'

function tries(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, index) => [modelCalled(1, index + 1), modelFailed()])
}

describe('given a next turn', () => {
  it('is called at once, with the next number', () => {
    given(begun()).whenDecided().then({ kind: 'call-model', turn: 1, attempt: 1, delayMs: 0 })
    given(begun(), claimed(1), turnEnded(1))
      .whenDecided()
      .then({ kind: 'call-model', turn: 2, attempt: 1, delayMs: 0 })
  })
})

describe('given a call that failed and may be tried again', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [4, 4000],
  ])('waits longer after every failure: after %s, %s ms', (count, delayMs) => {
    given(begun({ maxModelAttempts: 9 }), tries(count))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1, attempt: count + 1, delayMs })
  })

  it('never waits longer than half a minute', () => {
    expect(retryDelayMs(40, modelFailed().failure)).toBe(30_000)
  })

  it('waits as long as the provider asks for', () => {
    given(begun(), modelCalled(1), modelFailed({ kind: 'rate-limited', retryAfterMs: 7000 }))
      .whenDecided()
      .then({ kind: 'call-model', attempt: 2, delayMs: 7000 })
  })

  it('does not wait, nor count a try, where we broke the call off ourselves', () => {
    const slept = [interruptRequested(), runStopped('user_interrupt'), runResumed()]
    given(begun(), tries(1), modelCalled(1, 2), modelFailed({ kind: 'interrupted' }), slept)
      .whenDecided()
      .then({ kind: 'call-model', turn: 1, attempt: 2, delayMs: 0 })
  })
})
