import { describe, expect, it } from 'vitest'
import { RunHeldError } from '../../../base/index.ts'
import type { LeaseHolder } from '../../../ports/store.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { begin, stage } from '../../../testing/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { keepLease } from './keep-lease.ts'
import { LiveRun } from './session.ts'

function holder(processId: number): LeaseHolder {
  return { host: 'here', processId, processStart: null, purpose: `run of ${processId}` }
}

function kit() {
  const leases = memoryStore()
  const keep = (processId: number, isDead: (holder: LeaseHolder) => boolean = () => false) =>
    keepLease({ name: 'run r', holder: holder(processId), leases, isDead, heartbeatMs: 1 })
  return { leases, keep }
}

describe('given a lease that is kept', () => {
  it('when time passes, then the heartbeat renews it and another living holder is refused by name', async () => {
    const { keep, leases } = kit()
    const kept = await keep(1)
    const expiry = async () => (await leases.leaseOf('run r'))?.expiresAtMs
    await expect.poll(expiry).toBeGreaterThan(kept.lease.expiresAtMs)
    await expect(keep(2)).rejects.toThrow(RunHeldError)
    await expect(keep(2)).rejects.toThrow('run r is held by process 1 on here (run of 1)')
    await kept.release()
    await (await keep(2)).release()
  })

  it('when the holder is dead, then it is replaced at once', async () => {
    const { keep } = kit()
    const dead = await keep(1)
    const next = await keep(2, () => true)
    expect(next.lease.fence).toBeGreaterThan(dead.lease.fence)
    await expect.poll(() => dead.lost.aborted).toBe(true)
    await next.release()
    await dead.release()
  })

  it('when it is taken over, then what the old holder still writes is fenced off', async () => {
    const { keep, leases } = kit()
    const scene = { agent: scriptedAgent([]) }
    const { parts } = stage(scene)
    const old = await keep(1)
    const session = new LiveRun('r', { ...parts, log: leases, lease: old.lease })
    await begin(session, scene)
    const next = await keep(2, () => true)
    await expect(session.tell({ type: 'model-called', turn: 1, attempt: 1 })).rejects.toThrow(RunHeldError)
    expect(await leases.read('r')).toHaveLength(2)
    await next.release()
    await old.release()
  })
})
