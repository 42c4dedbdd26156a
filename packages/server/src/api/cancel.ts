/** A run is stopped from outside: its process is interrupted as by Ctrl-C, and where that cannot be, its goal is paused. */
import { goalControl } from '@donecheck/engine/compose'
import { isAlive } from '@donecheck/engine/process'
import type { LeaseHolder, Store } from '@donecheck/engine/ports/store'
import { summaryOf } from './find-run.ts'
import type { Workplace } from './route.ts'

/** `stopped`: it had stopped before. */
export async function cancelRun(
  { store, interrupted, launcher }: Workplace,
  runId: string,
  by: string,
  reason = `cancelled by ${by}`,
): Promise<'interrupted' | 'paused' | 'stopped'> {
  const { reason: ended } = await summaryOf(store, runId)
  if (ended !== undefined) return 'stopped'
  if (launcher?.cancel !== undefined) {
    await launcher.cancel(runId, by)
    return 'interrupted'
  }
  const holder = await livingHolder(store, runId)
  if (holder !== undefined) {
    // A second Ctrl-C ends it at once, in the middle of its end: whoever cancels again has not asked for that.
    const signalled = `${runId} ${holder.processId} ${holder.processStart}`
    if (!interrupted.has(signalled)) process.kill(holder.processId, 'SIGINT')
    interrupted.add(signalled)
    return 'interrupted'
  }
  await goalControl(store).change(runId, { kind: 'paused', reason }, { by })
  return 'paused'
}

/** Of a process on this machine that works at the run. Without its start nobody can tell whether it is still the one that took the lease. */
export async function livingHolder(store: Store, runId: string): Promise<LeaseHolder | undefined> {
  const holder = (await store.leaseOf(`run ${runId}`))?.holder
  return holder !== undefined && holder.processStart !== null && isAlive(holder) === 'alive'
    ? holder
    : undefined
}
