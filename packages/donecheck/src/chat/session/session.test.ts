import { describe, expect, it } from 'vitest'
import { hostThatAsks } from '../fixtures/host-that-asks.ts'
import { Session } from './session.ts'

describe('given a turn that has ended, whose step is still being stored', () => {
  it('then Ctrl-C finds nothing to stop, so that it leaves, and leaving waits for the step', async () => {
    const { host, isAsked } = hostThatAsks('npm publish')
    const storing = Promise.withResolvers<undefined>()
    const stored = Promise.withResolvers<undefined>()
    let kept = 0
    const trees = {
      ...host.trees,
      async keep(signal: AbortSignal) {
        kept += 1
        if (kept > 1) {
          storing.resolve(undefined)
          await stored.promise
        }
        return await host.trees.keep(signal)
      },
    }
    const session = new Session({ ...host, trees })
    let hasLeft = false
    const left = session.draw({ show: () => undefined, prefill: () => undefined, close: () => undefined })
    void left.then(() => (hasLeft = true))
    await session.submit('Work.')
    await isAsked
    expect(session.interrupt()).toBe(true)
    await storing.promise
    expect(session.isWorking).toBe(true)
    expect(session.interrupt()).toBe(false)
    session.leave()
    expect(hasLeft).toBe(false)
    stored.resolve(undefined)
    await left
    expect(session.isWorking).toBe(false)
  })
})
