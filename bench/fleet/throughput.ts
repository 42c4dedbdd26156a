/**
 * Steps of runs in a fleet against bare journalled steps of Restate, on the same server in the same process, and against the same
 * runs without Restate; and what a run costs that waits. `npm run bench:fleet-throughput [-- TURNS WAITING-RUNS sqlite]` writes a
 * line of JSON for each.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { service, type Context } from '@restatedev/restate-sdk'
import { connect } from '@restatedev/restate-sdk-clients'
import {
  fleetClient,
  restateAdmin,
  serveCoordinator,
  serveEndpoint,
} from '@donecheck/fleet/internal/coordinator'
import { startRestate } from '@donecheck/fleet/internal/local'
import { startWorker } from '@donecheck/fleet/internal/worker'
import { memoryStore, openSqliteStore } from '@donecheck/engine/store'
import { scriptedOpener } from '../../test/fleet/kit/scripted-opener.ts'
import { serversFolder } from '../../test/fleet/kit/servers.ts'
import { median, rounded } from '../table.ts'

const [turns = '60', suspendedRuns = '1000', storeKind = 'memory'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'donecheck-throughput-'))
const restate = await startRestate({ folder: join(folder, 'restate'), packagesFrom: serversFolder })
const { ingressUrl, adminUrl } = restate
const admin = restateAdmin(adminUrl)
const listen = { host: '127.0.0.1', port: 0 }
const log = () => undefined
const coordinator = await serveCoordinator({ listen, admin, version: '1', lostAfterMs: 60_000, log })
const store = storeKind === 'memory' ? memoryStore() : openSqliteStore({ folder: join(folder, 'store') })
const scripted = scriptedOpener(folder, 'bench')
let stepsDone = 0
let runsStopped = 0
/** Counts the decisions. */
const opener: typeof scripted = {
  ...scripted,
  async open(request, place) {
    const run = await scripted.open(request, place)
    return {
      runId: run.runId,
      get sequence() {
        return run.sequence
      },
      step: async () => {
        stepsDone += 1
        const end = await run.step()
        if (end.kind === 'stopped') runsStopped += 1
        return end
      },
      close: () => run.close(),
    }
  },
}
const worker = await startWorker({
  ...{ workerId: 'bench', ingressUrl, adminUrl, listen, version: '1', labels: [], slots: 2_000 },
  ...{ storeOf: async () => store, opener, folders: null, log },
})
const bare = service({
  name: 'bare',
  handlers: {
    steps: async (ctx: Context, count: number): Promise<void> => {
      for (let step = 0; step < count; step += 1) await ctx.run(`step ${step}`, () => step)
    },
  },
})
const bareEndpoint = await serveEndpoint([bare], { listen, path: 'bare', admin, log })
const client = fleetClient(ingressUrl)

async function until(isTrue: () => Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await isTrue())) await pause(everyMs)
}

async function inSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1000
}

/** @returns steps a second */
async function bareSteps(runs: number, steps: number): Promise<number> {
  const ingress = connect({ url: ingressUrl })
  const one = () => ingress.serviceClient<typeof bare>({ name: 'bare' }).steps(steps)
  return (runs * steps) / (await inSeconds(() => Promise.all(Array.from({ length: runs }, one))))
}

const request = (runId: string, plan: readonly string[]) => ({
  ...{ runId, tenant: 'bench', task: 'do it', labels: [], priority: 0 },
  settings: { plan: [...plan] },
})

/** @returns steps a second, from the submission of the first to the end of the last */
async function fleetSteps(runs: number, label: string): Promise<number> {
  const ids = Array.from({ length: runs }, (_, index) => `${label}-${index}`)
  const plan = Array.from({ length: Number(turns) }, () => 'do')
  const [before, over] = [stepsDone, runsStopped]
  const seconds = await inSeconds(async () => {
    await Promise.all(ids.map((runId) => client.submit(request(runId, plan))))
    await until(async () => runsStopped === over + runs)
  })
  return (stepsDone - before) / seconds
}

/** @returns steps a second of the loop alone, which nobody journals */
async function loopSteps(runs: number, label: string): Promise<number> {
  const plan = Array.from({ length: Number(turns) }, () => 'do')
  const before = stepsDone
  const conduct = async (runId: string) => {
    const { signal } = new AbortController()
    const place = {
      runId,
      folder: null,
      snapshotFolder: null,
      store,
      signal,
      replaces: false,
      notice: undefined,
      part: undefined,
      tools: [],
    }
    const run = await opener.open(request(runId, plan), place)
    while ((await run.step()).kind === 'stepped');
    await run.close()
  }
  const seconds = await inSeconds(() =>
    Promise.all(Array.from({ length: runs }, (_, index) => conduct(`${label}-alone-${index}`))),
  )
  return (stepsDone - before) / seconds
}

const residentBytes = async (processId: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) * 1024

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Bytes for each run that waits for a person: in coordinator and worker together, and in Restate. */
async function memoryOfSuspended(runs: number) {
  const [heap, server] = [heapBytes(), await residentBytes(restate.processId)]
  const isWaiting = async () =>
    (await client.status()).runs.filter(({ stage }) => stage.kind === 'waiting').length === runs
  const seconds = await inSeconds(async () => {
    const ids = Array.from({ length: runs }, (_, index) => `asks-${index}`)
    await Promise.all(ids.map((runId) => client.submit(request(runId, ['ask']))))
    await until(isWaiting, 1_000)
  })
  const perRun = (now: number, before: number) => Math.round((now - before) / runs)
  return {
    runs,
    seconds: Math.round(seconds),
    heapBytes: perRun(heapBytes(), heap),
    restateBytes: perRun(await residentBytes(restate.processId), server),
  }
}

const show = (figures: unknown) => process.stdout.write(`${JSON.stringify(figures)}\n`)

/** In turn, so that whatever else the machine does falls on all of them. */
async function compare(runs: number, bareEach: number, rounds: number): Promise<void> {
  const rates = { bare: [] as number[], fleet: [] as number[], alone: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await bareSteps(runs, bareEach))
    rates.fleet.push(await fleetSteps(runs, `${runs}-${round}`))
    rates.alone.push(await loopSteps(runs, `${runs}-${round}`))
  }
  const ratio = median(rates.fleet.map((rate, index) => rate / (rates.bare[index] ?? Number.NaN)))
  const [bare, fleet, alone] = [rates.bare, rates.fleet, rates.alone].map((each) => Math.round(median(each)))
  show({ runs, bare, fleet, alone, 'fleet / bare': rounded(ratio, 2) })
}

await bareSteps(1, 50)
await fleetSteps(1, 'warm')
await compare(1, 200, 5)
await compare(50, 100, 3)
show(await memoryOfSuspended(Number(suspendedRuns)))
await worker.close()
await coordinator.close()
await bareEndpoint.close()
await restate.kill()
await store.close()
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
process.exit(0)
