/**
 * `npm run bench:fleet-failover -- --kills 10`: how long runs stand still whose worker is killed with SIGKILL while it works at them, from
 * its last event to the first of the next worker. Real Restate and PostgreSQL, and folders of a repository that are made again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fleetClient } from '@donecheck/fleet/internal/coordinator'
import { freePort } from '@donecheck/fleet/internal/local'
import { postgresStore } from '@donecheck/fleet/internal/postgres'
import { startTestPostgres } from '../../test/fleet/kit/postgres.ts'
import { startTestRestate } from '../../test/fleet/kit/restate.ts'
import { jsonOf } from './chaos/plan.ts'
import { Program } from './chaos/program.ts'
import { makeOrigin } from './chaos/work.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    workers: { type: 'string', default: '3' },
    runs: { type: 'string', default: '6' },
    // What the command has by default.
    'lost-after-ms': { type: 'string', default: '15000' },
    'heartbeat-ms': { type: 'string', default: '3000' },
  },
})
/** Of a call of a tool: there is one in every turn. */
const takesMs = 400
/** More than are made in the time. */
const turns = 1_000
const tenant = 'failover'

const folder = await mkdtemp(join(tmpdir(), 'donecheck-failover-'))
const servers = { restate: await startTestRestate(), postgres: await startTestPostgres() }
const { ingressUrl, adminUrl } = servers.restate.server
const { url: storeUrl } = servers.postgres.server
const store = await postgresStore({ url: storeUrl, tenant })
const client = fleetClient(ingressUrl)
const repository = await makeOrigin(folder)
const logPath = join(folder, 'processes.log')
const port = await freePort()
const processPath = (name: string) => join(import.meta.dirname, 'chaos', `${name}-process.ts`)
const coordinator = new Program(processPath('coordinator'), logPath, () => ({
  ...{ adminUrl, port, lostAfterMs: Number(values['lost-after-ms']) },
}))

class Machine {
  #starts = 0
  readonly #name: string
  readonly program: Program

  constructor(name: string) {
    this.#name = name
    this.program = new Program(processPath('worker'), logPath, () => {
      this.#starts += 1
      return {
        ...{ workerId: this.workerId, ingressUrl, adminUrl, storeUrl },
        ...{ ledgerPath: join(folder, 'ledger.jsonl'), folder: join(folder, name) },
        ...{ slots: Number(values.runs), heartbeatMs: Number(values['heartbeat-ms']) },
      }
    })
  }

  get workerId(): string {
    return `${this.#name}-${this.#starts}`
  }
}

const machines = Array.from({ length: Number(values.workers) }, (_, at) => new Machine(`machine-${at}`))
const runIds = Array.from({ length: Number(values.runs) }, (_, at) => `run-${at}`)

async function placedOn(workerId: string): Promise<readonly string[]> {
  const { runs } = await client.status()
  return runs.flatMap(({ request, stage }) =>
    stage.kind === 'placed' && stage.workerId === workerId ? [request.runId] : [],
  )
}

/** All have recorded something after that moment. */
async function goOn(runs: readonly string[], afterMs: number): Promise<void> {
  for (const runId of runs)
    while (((await store.read(runId)).at(-1)?.timeMs ?? 0) <= afterMs) await pause(200)
}

async function stillFor(runId: string, killedMs: number): Promise<number> {
  const times = (await store.read(runId)).map(({ timeMs }) => timeMs)
  const first = times.findIndex((timeMs) => timeMs > killedMs)
  return (times[first] ?? 0) - (times[first - 1] ?? 0)
}

/** The worker that has most of the runs. */
async function killOne(): Promise<readonly number[]> {
  const placed = await Promise.all(
    machines.map(async (machine) => ({ machine, runs: await placedOn(machine.workerId) })),
  )
  const [busiest] = placed.toSorted((left, right) => right.runs.length - left.runs.length)
  if (busiest === undefined) return []
  const { machine, runs } = busiest
  const killedMs = Date.now()
  await machine.program.kill()
  await machine.program.start()
  await goOn(runs, killedMs)
  return Promise.all(runs.map((runId) => stillFor(runId, killedMs)))
}

try {
  await Promise.all([coordinator, ...machines.map(({ program }) => program)].map((one) => one.start()))
  for (const runId of runIds) {
    const plan = {
      ...{ runId, ending: 'by itself' as const, maxToolCalls: turns },
      turns: Array.from({ length: turns }, (_, at) => ({ number: at + 1, kind: 'does' as const, takesMs })),
    }
    const request = { runId, tenant, task: 'do it', labels: [], priority: 0, repository }
    await client.submit({ ...request, settings: { plan: jsonOf(plan) } })
  }
  const stalls: number[] = []
  for (let kill = 0; kill < Number(values.kills); kill += 1) {
    await goOn(runIds, Date.now())
    const seen = await killOne()
    stalls.push(...seen)
    process.stderr.write(`kill ${kill + 1}: ${seen.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}\n`)
  }
  const sorted = stalls.toSorted((left, right) => left - right)
  const seconds = (share: number) =>
    Number(((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000).toFixed(1))
  console.table({
    'a worker may be silent for, s': Number(values['lost-after-ms']) / 1000,
    'kills of workers': Number(values.kills),
    'runs whose worker was killed': stalls.length,
    'stood still, p50, s': seconds(0.5),
    'stood still, p95, s': seconds(0.95),
    'stood still, longest, s': seconds(1),
    'load of the machine': Number((loadavg()[0] ?? 0).toFixed(1)),
  })
} finally {
  await Promise.all([coordinator, ...machines.map(({ program }) => program)].map((one) => one.kill()))
  await store.close()
  await servers.restate.dispose()
  await servers.postgres.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}
