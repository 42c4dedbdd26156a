/** `donecheck fleet patch`: what a run has changed, out of the record. */
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { reportFailure } from '../../process/failure.ts'
import { writeNotice } from '../../output/painter.ts'
import { findSummary } from '../../settings/find-run.ts'
import { withStore } from '../../settings/settings.ts'
import { loadFleet } from '../../settings/load-fleet.ts'

export type FleetPatchFlags = StoreFlags

export async function fleetPatchCommand(wanted: string, flags: FleetPatchFlags, io: CliIo): Promise<number> {
  try {
    const { baseOf, latestSnapshot, patchOf, resultOf } = await loadFleet(
      () => import('@donecheck/fleet/worker'),
    )
    const patch = await withStore(flags, io, async (store) => {
      const { runId, events } = await findSummary(store, wanted)
      const base = await baseOf(store, runId)
      const found = await latestSnapshot(store, runId)
      if (base === undefined || found === undefined)
        throw new UsageError(
          `nothing was kept of the folder of run ${runId}: no worker has ended a turn of it in a repository`,
        )
      const result = await resultOf(store, runId, events)
      const delivery = result?.delivery
      const where = delivery?.kind === 'branch' ? `; branch ${delivery.branch} has it` : ''
      writeNotice(`run ${runId} on ${base.url} at ${base.commit}${where}`, io)
      return patchOf(found)
    })
    io.stdout.write(patch)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}
