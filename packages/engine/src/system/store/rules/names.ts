/** Who may hold a name: the rules of `Leases`, the same for every store. A fence is never given out twice. */
import type { EpochMs } from '@donecheck/core/internal/events'
import type { AcquireRequest, Lease, LeaseResult } from '../../../ports/store.ts'

/** Kept after release, because the next fence must be greater. */
export interface LeaseRecord {
  readonly lease: Lease
  readonly released: boolean
}

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

export function heldLease(current: LeaseRecord | undefined): Lease | undefined {
  return current === undefined || current.released ? undefined : current.lease
}

/** An expired lease still counts if nobody took it over: nobody else has written. */
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

/** @returns undefined while the lease is valid */
export function fencedMessage(current: LeaseRecord | undefined, lease: Lease): string | undefined {
  const mine = `lease ${lease.name} (fence ${lease.fence})`
  if (current === undefined) return `${mine} is unknown to this store`
  if (isCurrent(current, lease)) return undefined
  const { holder, fence } = current.lease
  if (fence === lease.fence) return `${mine} was released`
  const by = `process ${holder.processId} on ${holder.host} (${holder.purpose}, fence ${fence})`
  return `${mine} was taken over by ${by}`
}

export const closedProblem = 'it is closed: open it again'
