/**
 * `npm run bench:service [-- --minutes 10]`: the service with many listeners, many runs at once and a large store. Prints figures;
 * asserts only that no event was lost and none was told twice.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sampleTurns } from '@donecheck/core/testing'
import { openSqliteStore } from '@donecheck/engine/store'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { z } from 'zod'
import { median, rounded, timed } from '../table.ts'
import { Listener } from './listener.ts'
import { startService, type ServiceProcess } from './service-process.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    events: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '50' },
    listeners: { type: 'string', default: '200' },
  },
})
const [minutes, wantedEvents, parallelRuns, listenerCount] = [
  Number(values.minutes),
  Number(values.events),
  Number(values.runs),
  Number(values.listeners),
]
const turnsPerRun = 499
/** Between two looks of a person. */
const pauseMs = 100

const root = await mkdtemp(join(tmpdir(), 'donecheck-service-'))
try {
  await measure()
} finally {
  await rm(root, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const storeFolder = join(root, 'store')
  const store = openSqliteStore({ folder: storeFolder })
  const fillMs = await timed(() => fill(store))
  const project = join(root, 'project')
  await mkdir(project)
  const service = await startService(root, project, storeFolder)
  try {
    const first = await timesOf(1, () => service.get('/api/runs?limit=50'))
    const idle = await timesOf(300, () => service.get('/api/runs?limit=50'))
    const listeners = Array.from({ length: listenerCount }, () => new Listener(service, '/api/stream'))
    await Promise.all(listeners.map((listener) => listener.listening))
    const [busy, appends, resumed] = await withRuns(service, project, store)
    const memory = await use(service, minutes * 60_000)
    for (const listener of listeners) listener.close()
    console.table({
      'events in the store': wantedEvents,
      'to write them, s': rounded(fillMs / 1000, 1),
      'first list of 50 runs, their rows made now, ms': rounded(first.p50, 1),
      'list of 50 runs, p50, ms': rounded(idle.p50, 1),
      'list of 50 runs, p99, ms': rounded(idle.p99, 1),
      listeners: listenerCount,
      'runs at once': parallelRuns,
      'of them whose process ended before the run did, and resumed': resumed,
      'meanwhile: list, p50, ms': rounded(busy.p50, 1),
      'meanwhile: list, p99, ms': rounded(busy.p99, 1),
      'meanwhile: append of one event, p50, ms': rounded(appends.p50, 2),
      'meanwhile: append of one event, p99, ms': rounded(appends.p99, 2),
      'memory of the service, first third, MB': memory.early,
      'memory of the service, last third, MB': memory.late,
      'minutes of use': minutes,
      'load of the machine': rounded(loadavg()[0] ?? 0, 1),
    })
  } finally {
    await service.stop()
    await store.close()
  }
}

async function fill(store: Store): Promise<void> {
  const perRun = 2 + 2 * turnsPerRun
  for (let number = 0; number * perRun < wantedEvents; number += 1) {
    const runId = `stored-${String(number).padStart(6, '0')}`
    await store.append(0, sampleTurns(turnsPerRun, { runId, startMs: 1_700_000_000_000 + number }), null)
  }
}

interface Times {
  readonly p50: number
  readonly p99: number
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) times.push(await timed(work))
  const sorted = times.toSorted((one, other) => one - other)
  return { p50: median(sorted), p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN }
}

/** Every run is followed to its end; each listener breaks off once, and goes on where it was. */
async function withRuns(
  service: ServiceProcess,
  project: string,
  store: Store,
): Promise<readonly [Times, Times, number]> {
  const ids = await Promise.all(
    Array.from({ length: parallelRuns }, (_, number) => begin(service, project, number)),
  )
  const followers = ids.map((runId) => new Listener(service, `/api/runs/${runId}/stream`))
  const lists = await timesOf(100, () => service.get('/api/runs?limit=50'))
  const events = sampleTurns(150, { runId: 'appended' })
  let sequence = 0
  const appends = await timesOf(events.length, () =>
    store.append(sequence, events.slice(sequence, (sequence += 1)), null),
  )
  await writeFile(join(project, 'go'), '')
  const resuming = resumeBroken(service, ids)
  for (const follower of followers) {
    const sequences = await follower.toTheEnd()
    if (sequences.some((one, index) => one !== index + 1)) throw new Error('an event was lost, or told twice')
  }
  return [lists, appends, await resuming]
}

async function begin(service: ServiceProcess, project: string, number: number): Promise<string> {
  const workFolder = `run-${number}`
  await mkdir(join(project, workFolder))
  const agent = `sh -c 'until test -e ../go; do sleep 0.5; done; echo done > done.txt'`
  const body = { task: `write file ${number}`, workFolder, agent, until: ['test -e done.txt'] }
  const { runId } = (await service.post('/api/runs', body)) as { runId: string }
  return runId
}

/** A run whose process could not write is there, and goes on: until none is open. @returns how often that was needed */
async function resumeBroken(service: ServiceProcess, ids: readonly string[]): Promise<number> {
  const page = z.object({ runs: z.array(z.object({ runId: z.string() })) })
  for (let resumed = 0; ;) {
    const { runs } = page.parse(await service.get('/api/runs?open=true&limit=200'))
    const open = runs.filter(({ runId }) => ids.includes(runId))
    if (open.length === 0) return resumed
    for (const { runId } of open) {
      const answer = await service.post(`/api/runs/${runId}/resume`, {}).catch(() => undefined)
      if (answer !== undefined) resumed += 1
    }
    await setTimeout(5000)
  }
}

/** What a page does for so long, and the memory meanwhile. */
async function use(service: ServiceProcess, forMs: number): Promise<{ early: number; late: number }> {
  const megabytes: number[] = []
  const untilMs = performance.now() + forMs
  for (let round = 0; performance.now() < untilMs; round += 1) {
    const { runs } = (await service.get('/api/runs?limit=20')) as { runs: readonly { runId: string }[] }
    for (const { runId } of runs.slice(0, 3)) await service.get(`/api/runs/${runId}/events?limit=100`)
    const passing = new Listener(service, '/api/stream')
    await passing.listening
    passing.close()
    await setTimeout(pauseMs)
    if (round % 20 === 0) megabytes.push(await service.megabytes())
  }
  const third = Math.ceil(megabytes.length / 3)
  return { early: median(megabytes.slice(0, third)), late: median(megabytes.slice(-third)) }
}
