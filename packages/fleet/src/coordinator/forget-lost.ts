/** Deployments of workers that are gone for good: Restate would keep them for ever, and go on with calls that nobody answers. */
import type { RestateAdmin } from './admin.ts'
import type { FleetClient } from './client.ts'
import { workerIdOf } from './names.ts'
import { repeat } from './repeat.ts'

export interface LostWatch {
  readonly client: Pick<FleetClient, 'status'>
  readonly admin: Pick<RestateAdmin, 'deployments' | 'pendingOf' | 'killInvocation' | 'remove'>
  readonly log: (message: string) => void
}

const everyMs = 60_000
/** One that comes back later registers again. */
const forgottenAfterMs = 600_000

/** Several may do it at once. @returns what ends it */
export function forgetLostWorkers(watch: LostWatch): () => void {
  const look = lookForLost(watch)
  const failed = 'deployments of lost workers could not be removed'
  return repeat({ look: () => look(Date.now()), everyMs, failed, log: watch.log })
}

/** One look: what was missing at each of them for long enough goes, and nothing that serves anything else. */
export function lookForLost({ client, admin, log }: LostWatch): (nowMs: number) => Promise<void> {
  let missingSince: ReadonlyMap<string, number> = new Map()
  return async (nowMs) => {
    // Before the workers: one that registers in between is not among them yet.
    const deployments = await admin.deployments()
    const here = new Set((await client.status()).workers.map(({ workerId }) => workerId))
    const missing = deployments.flatMap(({ id, services: [service, ...others] }) => {
      const workerId = workerIdOf(service ?? '')
      if (service === undefined || workerId === undefined || others.length > 0 || here.has(workerId))
        return []
      return [{ id, service, workerId, sinceMs: missingSince.get(id) ?? nowMs }]
    })
    missingSince = new Map(missing.map(({ id, sinceMs }) => [id, sinceMs]))
    for (const { id, service, workerId, sinceMs } of missing) {
      if (nowMs - sinceMs < forgottenAfterMs) continue
      // Its runs were told that it is lost, and are with others.
      for (const invocation of await admin.pendingOf(service)) await admin.killInvocation(invocation)
      await admin.remove(id)
      log(
        `worker ${workerId} has been gone for ${forgottenAfterMs / 60_000} minutes: its deployment is removed`,
      )
    }
  }
}
