import { RunHeldError } from '../../../base/index.ts'
import type { Lease, LeaseHolder, Leases } from '../../../ports/store.ts'

/** A holder silent for longer may be replaced. */
const leaseTtlMs = 30_000
const usualHeartbeatMs = 10_000

export interface KeptLease {
  readonly lease: Lease
  readonly lost: AbortSignal
  release(): Promise<void>
}

interface KeepLeaseOptions {
  readonly name: string
  readonly holder: LeaseHolder
  readonly leases: Pick<Leases, 'acquire' | 'renew' | 'release'>
  readonly isDead: (holder: LeaseHolder) => boolean
  /** Default: 10 s, a third of the time until replacement. */
  readonly heartbeatMs?: number
}

/** @throws {RunHeldError} if another living holder has it */
export async function keepLease(options: KeepLeaseOptions): Promise<KeptLease> {
  const { leases } = options
  const lease = await acquire(options)
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    leases.renew(lease, leaseTtlMs).then(
      (renewed) => renewed === undefined && lost.abort(`lease ${lease.name} was taken over`),
      // A broken store fails at the next append, which reports it.
      () => undefined,
    )
  }, options.heartbeatMs ?? usualHeartbeatMs)
  heartbeat.unref()
  return {
    lease,
    lost: lost.signal,
    async release() {
      clearInterval(heartbeat)
      await leases.release(lease)
    },
  }
}

async function acquire({ name, holder, leases, isDead }: KeepLeaseOptions): Promise<Lease> {
  const request = { name, holder, ttlMs: leaseTtlMs }
  const first = await leases.acquire(request)
  if (first.kind === 'held') return first.lease
  const second = isDead(first.by.holder)
    ? await leases.acquire({ ...request, takeOverFence: first.by.fence })
    : first
  if (second.kind === 'held') return second.lease
  throw new RunHeldError(heldMessage(name, second.by))
}

function heldMessage(name: string, { holder }: Lease): string {
  const wayOut = name.startsWith('folder ')
    ? 'wait for it to end, or allow concurrent runs (DONECHECK_ALLOW_CONCURRENT=true)'
    : 'wait for it to end, or interrupt it there'
  return `${name} is held by process ${holder.processId} on ${holder.host} (${holder.purpose}); ${wayOut}`
}
