import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../testing/index.ts'
import { command } from '../verify/index.ts'
import { bash, prompted, removeFolders, riding, stopping, type Riding } from './fixtures/riding.ts'
import { createRide } from './index.ts'
import type { RideOptions } from './ride.ts'

afterEach(removeFolders)

const honest = 'test -f done.txt\n'
const forged = 'test -f check.sh\n'
const goOn = { kind: 'prompted', prompt: 'thanks, go on' } as const

async function ridingWithScript(more: Partial<RideOptions> = {}) {
  const hardVerifiers = [command('sh check.sh')]
  const ridden = await riding({ hardVerifiers, baseline: 'tree', store: memoryStore(), ...more })
  ridden.put('check.sh', honest)
  await ridden.ride.observe(prompted)
  return ridden
}

describe('given a check that the agent has forged', () => {
  it('does not become the untouched one by the next prompt, after the run was given up', async () => {
    const { ride, put, claim } = await ridingWithScript({ hardCap: { sendBacks: 1 } })
    put('check.sh', forged)
    for (let count = 0; ride.end === undefined; count += 1) {
      put('other.txt', String(count))
      await claim()
    }
    expect(ride.end).toMatchObject({ outcome: 'blocked', reason: 'awaiting_approval' })
    await ride.observe(goOn)
    put('other.txt', 'once more')
    expect(await claim()).toMatchObject({ kind: 'send-back' })
    put('check.sh', honest)
    put('done.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
  })

  it('does not become the untouched one by an end of the session that nobody has checked, however often', async () => {
    const { ride, put, claim } = await ridingWithScript()
    put('check.sh', forged)
    for (let count = 0; count < 2; count += 1) {
      await ride.observe({ kind: 'session-ended' })
      await ride.observe(goOn)
    }
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('does not become the untouched one in a new session over the same tree', async () => {
    const { ride, put, claim, options } = await ridingWithScript()
    put('check.sh', forged)
    await claim()
    await ride.observe({ kind: 'session-ended' })
    const other = await createRide({ ...options, sessionId: 's-2' })
    await other.observe(prompted)
    const stop = { kind: 'stopping', text: 'Done.', wasSentBack: false, waitingFor: [] } as const
    expect(await other.observe(stop)).toMatchObject({ kind: 'send-back' })
  })

  it.each([
    ['whose agent was killed in the middle of it', async () => undefined],
    [
      'that was ended before anybody looked again',
      async ({ ride }: Riding) => ride.observe({ kind: 'session-ended' }),
    ],
  ])('does not become the untouched one in a session after one %s', async (_, ending) => {
    const ridden = await ridingWithScript({ agreedAtMs: 0 })
    ridden.put('check.sh', forged)
    await ending(ridden)
    const other = await createRide({ ...ridden.options, sessionId: 's-2' })
    const told = await other.observe(prompted)
    expect(await other.observe(stopping())).toMatchObject({ kind: 'send-back' })
    const third = await createRide({ ...ridden.options, sessionId: 's-3' })
    await third.observe(prompted)
    expect(await third.observe(stopping())).toMatchObject({ kind: 'send-back' })
    expect(told).toMatchObject({ kind: 'pass', notice: expect.stringContaining('install') as unknown })
  })

  it.each([
    ['the same session', 's-1'],
    ['another session', 's-2'],
  ])(
    'does not become the untouched one by breaking off the beginning of a run, in %s',
    async (_, sessionId) => {
      const store = memoryStore()
      let room = Number.POSITIVE_INFINITY
      const append: typeof store.append = (...words) => {
        room -= 1
        return room >= 0 ? store.append(...words) : Promise.reject(new TypeError('killed'))
      }
      const ridden = await ridingWithScript({ agreedAtMs: 0, store: { ...store, append } })
      ridden.put('check.sh', forged)
      await ridden.ride.observe({ kind: 'session-ended' })
      room = 1
      const broken = await createRide({ ...ridden.options, sessionId })
      await expect(broken.observe(goOn)).rejects.toThrow('killed')
      room = Number.POSITIVE_INFINITY
      for (const next of [sessionId, 's-3']) {
        const other = await createRide({ ...ridden.options, sessionId: next })
        await other.observe(goOn)
        const { kind } = await other.observe(stopping())
        // Told once; then the session waits for somebody, and is not held.
        const expected = kind === 'pass' ? 'awaiting_approval' : undefined
        expect(other.end?.reason).toBe(expected)
      }
    },
  )

  it('does not become the untouched one by going on with an older session, that was verified', async () => {
    const { ride, workFolder, put, claim, options } = await ridingWithScript({ agreedAtMs: 0 })
    put('done.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
    rmSync(join(workFolder, 'done.txt'))
    const other = await createRide({ ...options, sessionId: 's-2' })
    await other.observe(prompted)
    put('check.sh', forged)
    await ride.observe(goOn)
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('does not become the untouched one by a verified end for which it was put back', async () => {
    const { ride, workFolder, put, claim } = await ridingWithScript()
    put('check.sh', forged)
    put('done.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
    await ride.observe(goOn)
    rmSync(join(workFolder, 'done.txt'))
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('does not become the untouched one where it was forged after a verified end', async () => {
    const { ride, workFolder, put, claim } = await ridingWithScript()
    put('done.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
    await ride.observe({ kind: 'tool-proposed', call: bash('c-1', 'make') })
    put('check.sh', forged)
    rmSync(join(workFolder, 'done.txt'))
    await ride.observe(goOn)
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })
})

describe('given a host in which a person cannot say that a change was theirs', () => {
  it('takes the tree for untouched where it is another one than the session before has left', async () => {
    const { ride, put, options } = await ridingWithScript()
    await ride.observe({ kind: 'session-ended' })
    put('check.sh', 'test -f other.txt\n')
    put('other.txt', 'x')
    const other = await createRide({ ...options, sessionId: 's-2' })
    expect(await other.observe(prompted)).toEqual({ kind: 'pass' })
    await other.observe(stopping())
    expect(other.end).toMatchObject({ outcome: 'verified' })
  })
})

describe('given a user who changes the check between two tasks', () => {
  it('takes the tree for untouched where they have said anew what is to be checked', async () => {
    const { put, options } = await ridingWithScript()
    put('check.sh', 'test -f other.txt\n')
    put('other.txt', 'x')
    const agreedAtMs = Date.now() + 1
    const other = await createRide({ ...options, sessionId: 's-2', agreedAtMs })
    expect(await other.observe(prompted)).toEqual({ kind: 'pass' })
    await other.observe(stopping())
    expect(other.end).toMatchObject({ outcome: 'verified' })
  })

  it('takes the tree for untouched again once the first was verified', async () => {
    const { ride, put, claim } = await ridingWithScript()
    put('done.txt', 'x')
    await claim()
    put('check.sh', 'test -f other.txt\n')
    await ride.observe(goOn)
    put('other.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
  })

  it('takes it for untouched again where the first was a question that changed nothing', async () => {
    const { ride, put, claim } = await ridingWithScript({ whenUnchanged: 'let-go' })
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'unverified' })
    put('check.sh', 'test -f other.txt\n')
    await ride.observe(goOn)
    put('other.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'verified' })
  })
})
