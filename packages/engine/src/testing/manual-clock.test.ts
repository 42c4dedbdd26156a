import { describe, expect, it } from 'vitest'
import { countingIds, manualClock } from './manual-clock.ts'

const neverAborted = new AbortController().signal

/** Records who woke, in order, after all settled promises. */
async function settled(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await Promise.resolve()
}

describe('given a clock that a test moves', () => {
  it('wakes a sleeper when its time has come, and not before', async () => {
    const clock = manualClock()
    let awake = false
    void clock.sleep(100, neverAborted).then(() => (awake = true))
    clock.advance(99)
    await settled()
    expect(awake).toBe(false)
    expect(clock.sleeping).toBe(1)
    clock.advance(1)
    await settled()
    expect(awake).toBe(true)
    expect(clock.sleeping).toBe(0)
  })

  it('wakes several sleepers in the order of their times', async () => {
    const clock = manualClock()
    const woken: string[] = []
    void clock.sleep(30, neverAborted).then(() => woken.push('late'))
    void clock.sleep(10, neverAborted).then(() => woken.push('early'))
    clock.advance(50)
    await settled()
    expect(woken).toEqual(['early', 'late'])
  })

  it('wakes a sleeper whose signal aborts, without a rejection, and forgets it', async () => {
    const clock = manualClock()
    const abort = new AbortController()
    const sleep = clock.sleep(1000, abort.signal)
    abort.abort()
    await expect(sleep).resolves.toBeUndefined()
    expect(clock.sleeping).toBe(0)
    expect(clock.nowMs()).toBe(1_000_000)
  })

  it('does not sleep at all under a signal that has aborted, or for no time', async () => {
    const clock = manualClock()
    await clock.sleep(1000, AbortSignal.abort())
    await clock.sleep(0, neverAborted)
    expect(clock.sleeping).toBe(0)
  })
})

it('counts, so that a test can foretell every name', () => {
  const ids = countingIds('run')
  expect([ids.next(), ids.next()]).toEqual(['run-000001', 'run-000002'])
})
