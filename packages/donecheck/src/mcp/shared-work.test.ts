import { describe, expect, it } from 'vitest'
import { shareWork } from './session-registry.ts'

/** Work that a test ends, with counts of starts and aborts. */
function slowWork() {
  const begun: {
    readonly input: string
    readonly signal: AbortSignal
    readonly end: (result: string) => void
  }[] = []
  const ask = shareWork((input: string, signal) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    begun.push({ input, signal, end: resolve })
    return promise
  })
  return { begun, ask, latest: () => begun.at(-1) ?? expect.fail('nothing was begun') }
}

describe('given work that is asked for twice while it goes on', () => {
  it('then it is done once, and both have its result', async () => {
    const { begun, ask, latest } = slowWork()
    const both = Promise.all([ask('one'), ask('two')])
    latest().end('done')
    expect(await both).toEqual(['done', 'done'])
    expect(begun.map(({ input }) => input)).toEqual(['one'])
  })

  it('when it has ended, then the next one begins it anew', async () => {
    const { begun, ask, latest } = slowWork()
    const first = ask('one')
    latest().end('a')
    await first
    const second = ask('two')
    latest().end('b')
    expect(await second).toBe('b')
    expect(begun).toHaveLength(2)
  })
})

describe('given somebody who goes', () => {
  it('when others still wait, then the work goes on for them', async () => {
    const { ask, latest } = slowWork()
    const controller = new AbortController()
    const gone = ask('one', controller.signal)
    const stays = ask('two')
    controller.abort()
    await expect(gone).rejects.toThrow('cancelled')
    expect(latest().signal.aborted).toBe(false)
    latest().end('done')
    expect(await stays).toBe('done')
  })

  it('when nobody waits any more, then the work is aborted', async () => {
    const { ask, latest } = slowWork()
    const controllers = [new AbortController(), new AbortController()]
    const all = controllers.map(({ signal }) => ask('one', signal))
    for (const controller of controllers) controller.abort()
    for (const one of all) await expect(one).rejects.toThrow('cancelled')
    expect(latest().signal.aborted).toBe(true)
    latest().end('too late')
  })

  it('when the work fails, then everybody learns of it', async () => {
    const ask = shareWork((): Promise<string> => Promise.reject(new Error('broken')))
    await expect(Promise.all([ask('one'), ask('two')])).rejects.toThrow('broken')
  })
})
