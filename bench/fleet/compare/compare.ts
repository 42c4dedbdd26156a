/** The same runs on a real fleet and in the simulator: what the simulator says must be near to what happened. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunEvent } from '@donecheck/core/internal/events'
import { fleetClient } from '@donecheck/fleet/internal/coordinator'
import { freePort } from '@donecheck/fleet/internal/local'
import { postgresStore } from '@donecheck/fleet/internal/postgres'
import { logPathIn, type Servers } from '../chaos/chaos.ts'
import { jsonOf, type PlannedRun } from '../chaos/plan.ts'
import { Program } from '../chaos/program.ts'
import { beginning } from '../simulate/decided-run.ts'
import { usualFleet } from '../simulate/fleet.ts'
import { simulate } from '../simulate/simulate.ts'
import { quantilesOf, type Quantiles } from '../simulate/tally.ts'
import type { Trace } from '../simulate/workload.ts'

export interface Shape {
  readonly workers: number
  readonly slotsPerWorker: number
}

export interface Observed {
  readonly runsPerHour: number
  readonly wait: Quantiles
  /** From the end of a call of a tool to the beginning of the next one, on average: what the fleet adds to a turn. */
  readonly turnMs: number
}

const tenant = 'compare'

/** All runs are submitted at once, and go on until the last is over. */
export async function observe(
  plans: readonly PlannedRun[],
  { workers, slotsPerWorker }: Shape,
  { restate, postgres }: Servers,
  folder: string,
): Promise<Observed> {
  const { adminUrl, ingressUrl } = restate.server
  const here = join(import.meta.dirname, '../chaos')
  const port = await freePort()
  const coordinator = new Program(join(here, 'coordinator-process.ts'), logPathIn(folder), () => ({
    ...{ adminUrl, port, lostAfterMs: 30_000 },
  }))
  const processes = Array.from(
    { length: workers },
    (_, index) =>
      new Program(join(here, 'worker-process.ts'), logPathIn(folder), () => ({
        ...{ workerId: `c-${index}`, ingressUrl, adminUrl, heartbeatMs: 3_000, slots: slotsPerWorker },
        ...{ storeUrl: postgres.server.url, ledgerPath: join(folder, 'ledger.jsonl') },
      })),
  )
  const store = await postgresStore({ url: postgres.server.url, tenant })
  try {
    await coordinator.start()
    await Promise.all(processes.map((worker) => worker.start()))
    const client = fleetClient(ingressUrl)
    const submittedMs = Date.now()
    for (const plan of plans)
      await client.submit({
        ...{ runId: plan.runId, tenant, task: 'do it', labels: [], priority: 0 },
        settings: { plan: jsonOf(plan) },
      })
    let left = plans.map(({ runId }) => runId)
    while (left.length > 0) {
      await pause(500)
      const runs = await Promise.all(left.map((runId) => client.run(runId)))
      left = left.filter((_runId, index) => runs[index]?.phase.kind !== 'over')
    }
    return observedOf(await Promise.all(plans.map(({ runId }) => store.read(runId))), submittedMs)
  } finally {
    await Promise.all([coordinator, ...processes].map((program) => program.kill()))
    await store.close()
  }
}

function observedOf(records: readonly (readonly RunEvent[])[], submittedMs: number): Observed {
  const begins = records.map((events) => (events[0]?.timeMs ?? Number.NaN) - submittedMs)
  const lastMs = Math.max(...records.map((events) => events.at(-1)?.timeMs ?? Number.NaN))
  const betweenCalls = records.flatMap(gapsOf)
  return {
    runsPerHour: (records.length * 3_600_000) / (lastMs - submittedMs),
    wait: quantilesOf(begins),
    turnMs: betweenCalls.reduce((sum, ms) => sum + ms, 0) / betweenCalls.length,
  }
}

function gapsOf(events: readonly RunEvent[]): number[] {
  const called = events.filter(({ type }) => type === 'tool-called')
  const returned = events.filter(({ type }) => type === 'tool-returned')
  return called.slice(1).map((event, index) => event.timeMs - (returned[index]?.timeMs ?? event.timeMs))
}

/** What the simulator says of the same runs, once it is told what a turn costs beside its call. */
export function predicted(
  plans: readonly PlannedRun[],
  shape: Shape,
  turnMs: number,
): Omit<Observed, 'turnMs'> {
  const { hours, firstWait } = simulate({
    ...usualFleet,
    ...shape,
    runs: plans.length,
    runsPerHour: Infinity,
    tenants: 1,
    shareInFolders: 0,
    shareAsking: 0,
    provider: { ...usualFleet.provider, failingShare: 0 },
    pace: { ...usualFleet.pace, firstTokenMs: turnMs, decisionMs: 0 },
    scripts: plans.map(scriptOf),
  })
  return { runsPerHour: plans.length / hours, wait: firstWait }
}

/** A model that answers at once: all its time is that of the turn. */
function scriptOf({ turns }: PlannedRun): Trace {
  const state = beginning(1)
  const before = [0, ...turns.map(({ takesMs }) => takesMs)]
  const works = before.map((takesMs) => ({ decisions: 0, toolCalls: 0, checks: 0, takesMs }))
  return {
    steps: works.map((work) => ({ ...work, promptTokens: 0, outputTokens: 0, state })),
    end: { decisions: 0, toolCalls: 0, checks: 0, takesMs: 0, reason: 'model_ended' },
  }
}
