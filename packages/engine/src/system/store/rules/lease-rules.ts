/** Who may hold a name: the rules of `Leases`, the same for every store. A fence is never given out twice. */
import type { EpochMs } from '@donecheck/core/events'
import type { AcquireRequest, Lease, LeaseResult } from '../../../ports/store.ts'

/** What a store remembers of a name, also after its release: the next fence must be greater. */
export interface LeaseRecord {
  readonly lease: Lease
  readonly released: boolean
}

/** The record is to be kept when the answer is `held`. */
export function decideAcquire(
  current: LeaseRecord | undefined,
  request: AcquireRequest,
  nowMs: EpochMs,
): LeaseResult {
  if (current !== undefined && !isFree(current, request, nowMs)) return { kind: 'taken', by: current.lease }
  const { name, holder, ttlMs } = request
  const fence = (current?.lease.fence ?? 0) + 1
  return { kind: 'held', lease: { name, holder, fence, expiresAtMs: nowMs + ttlMs } }
}

function isFree({ lease, released }: LeaseRecord, request: AcquireRequest, nowMs: EpochMs): boolean {
  return released || lease.expiresAtMs <= nowMs || request.takeOverFence === lease.fence
}

/** Undefined for a name that nobody holds. */
export function heldLease(current: LeaseRecord | undefined): Lease | undefined {
  return current === undefined || current.released ? undefined : current.lease
}

/** An expired lease that nobody took over still counts: its holder was slow, and nobody else has written. */
export function isCurrent(current: LeaseRecord, lease: Lease): boolean {
  return !current.released && current.lease.fence === lease.fence
}

export function renewLease(
  current: LeaseRecord | undefined,
  lease: Lease,
  expiresAtMs: EpochMs,
): Lease | undefined {
  return current !== undefined && isCurrent(current, lease) ? { ...current.lease, expiresAtMs } : undefined
}

/** Undefined while the lease gives the right to write. */
export function fencedMessage(current: LeaseRecord | undefined, lease: Lease): string | undefined {
  const mine = `lease ${lease.name} (fence ${lease.fence})`
  if (current === undefined) return `${mine} is unknown to this store`
  if (isCurrent(current, lease)) return undefined
  const { holder, fence } = current.lease
  if (fence === lease.fence) return `${mine} was released`
  const by = `process ${holder.processId} on ${holder.host} (${holder.purpose}, fence ${fence})`
  return `${mine} was taken over by ${by}`
}
