/** Of the processes of one session, one at a time begins a run or verifies: the others wait for their turn. */
import { RunHeldError } from '@donecheck/engine/base'
import type { Clock } from '@donecheck/engine/ports/loop'
import type { Lease } from '@donecheck/engine/ports/store'
import { isAlive, thisHolder } from '@donecheck/engine/process'
import { keepLease, type KeptLease } from '@donecheck/engine/run'
import type { HostedSessionParts } from '../session-parts.ts'

export interface AwaitedLease {
  readonly lease: KeptLease
  /** Somebody else had it first. */
  readonly hasWaited: boolean
}

/** Between two looks whether it is free. */
export const pollMs = 50

/** Undefined: another process has it. */
export async function acquireLease(
  name: string,
  { store: leases }: Pick<HostedSessionParts, 'store'>,
): Promise<KeptLease | undefined> {
  const holder = thisHolder(name)
  try {
    const isDead = (other: Lease['holder']) => isAlive(other) === 'dead'
    return await keepLease({ name, holder, leases, isDead })
  } catch (error) {
    if (error instanceof RunHeldError) return undefined
    throw error
  }
}

/** @throws {RunHeldError} where it is still held when the signal is aborted */
export async function waitForLease(
  clock: Clock,
  signal: AbortSignal,
  attempt: () => Promise<KeptLease | undefined>,
): Promise<AwaitedLease> {
  for (let hasWaited = false; ; hasWaited = true) {
    const lease = await attempt()
    if (lease !== undefined) return { lease, hasWaited }
    if (signal.aborted)
      throw new RunHeldError('another process is checking this very claim, and has not ended')
    await clock.sleep(pollMs, signal)
  }
}
