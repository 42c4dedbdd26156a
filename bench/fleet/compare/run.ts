/** `npm run bench:fleet-real`: the same runs on real Restate, PostgreSQL and workers, and in the simulator. */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres } from '../../../test/fleet/kit/postgres.ts'
import { startTestRestate } from '../../../test/fleet/kit/restate.ts'
import { plannedRuns } from '../chaos/plan.ts'
import { randomOf } from '../simulate/random.ts'
import { observe, predicted, type Observed } from './compare.ts'

const shape = { workers: 3, slotsPerWorker: 3 }
const plans = plannedRuns(randomOf(1), { runs: 36, turns: 12, takesMs: 3_000 }).map((plan) => ({
  ...plan,
  ending: 'by itself' as const,
  maxToolCalls: plan.turns.length + 1,
  turns: plan.turns.map((turn) => ({ ...turn, kind: 'does' as const })),
}))

const folder = await mkdtemp(join(tmpdir(), 'donecheck-compare-'))
const servers = { restate: await startTestRestate(), postgres: await startTestPostgres() }
try {
  const real = await observe(plans, shape, servers, folder)
  const simulated = predicted(plans, shape, real.turnMs)
  console.table({ real: rowOf(real), simulated: rowOf(simulated) })
  console.log(
    `throughput, simulated / real: ${(simulated.runsPerHour / real.runsPerHour).toFixed(2)};`,
    `what the fleet adds to a turn: ${real.turnMs.toFixed(0)} ms; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`,
  )
} finally {
  await servers.restate.dispose()
  await servers.postgres.dispose()
  await rm(folder, { recursive: true, force: true })
}

function rowOf({ runsPerHour, wait }: Omit<Observed, 'turnMs'>) {
  return {
    'runs/h': Math.round(runsPerHour),
    'wait p50 s': Number((wait.p50Ms / 1000).toFixed(1)),
    'p95 s': Number((wait.p95Ms / 1000).toFixed(1)),
    'max s': Number((wait.maxMs / 1000).toFixed(1)),
  }
}
