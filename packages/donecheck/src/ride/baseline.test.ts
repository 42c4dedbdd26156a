import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../testing/index.ts'
import { command } from '../verify/index.ts'
import { bash, prompted, removeFolders, riding } from './fixtures/riding.ts'
import { createRide } from './index.ts'
import type { RideOptions } from './ride.ts'

afterEach(removeFolders)

const honest = 'test -f done.txt\n'
const forged = 'exit 0\n'
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
    expect(ride.end.outcome).toBe('exhausted')
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

describe('given a user who changes the check between two tasks', () => {
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
