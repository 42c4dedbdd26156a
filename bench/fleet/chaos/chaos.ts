/** Runs over real workers, Restate and PostgreSQL, all of which are killed again and again: what was planned must come of each. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { fleetClient, type FleetClient } from '@donecheck/fleet/internal/coordinator'
import { freePort } from '@donecheck/fleet/internal/local'
import { postgresStore } from '@donecheck/fleet/internal/postgres'
import type { TestPostgres } from '../../../test/fleet/kit/postgres.ts'
import type { TestRestate } from '../../../test/fleet/kit/restate.ts'
import { randomOf, type Random } from '../simulate/random.ts'
import { jsonOf, plannedRuns, type Extent, type PlannedRun } from './plan.ts'
import { Program } from './program.ts'
import { silencesOf, type Silence } from './silence.ts'
import { problemsOf } from './verdict.ts'
import { deliveredWork, makeOrigin, readLedger } from './work.ts'

export interface ChaosSettings extends Extent {
  readonly seed: number
  readonly workers: number
  readonly slotsPerWorker: number
  /** Things are killed for so long; then all must come to its end. */
  readonly durationMs: number
  /** From one kill to the next, on average. */
  readonly gapMs: number
}

export interface ChaosReport {
  /** What was killed, how often. */
  readonly kills: Readonly<Record<Victim, number>>
  /** By the reason that runs ended for. */
  readonly ended: Readonly<Record<string, number>>
  readonly events: number
  /** Calls that the record says nobody knows the result of. */
  readonly toldAsUnknown: number
  readonly answers: number
  /** Longest first, some of them. */
  readonly silences: readonly Silence[]
  readonly problems: readonly string[]
}

export type Victim = 'worker' | 'worker that stands still' | 'coordinator' | 'restate' | 'postgres'

/** Of twelve: half are workers. */
const victims: readonly Victim[] = [
  ...Array.from({ length: 5 }, () => 'worker' as const),
  'worker that stands still',
  'worker that stands still',
  'coordinator',
  'coordinator',
  'restate',
  'restate',
  'postgres',
]

const lostAfterMs = 5_000
const heartbeatMs = 500
/** Longer than a worker may be silent. */
const stillMs = 8_000
/** All must be over so long after the last kill. */
const patienceMs = 240_000
const tenant = 'chaos'
const shownSilences = 8

export interface Servers {
  readonly restate: TestRestate
  readonly postgres: TestPostgres
}

export async function chaos(
  settings: ChaosSettings,
  servers: Servers,
  folder: string,
  log: (line: string) => void,
): Promise<ChaosReport> {
  const port = await freePort()
  const store = await postgresStore({ url: servers.postgres.server.url, tenant })
  const havoc = new Havoc(settings, servers, { store, folder, origin: await makeOrigin(folder), port, log })
  try {
    return await havoc.wreak()
  } finally {
    await havoc.dispose()
    await store.close()
  }
}

interface Parts {
  readonly store: Store
  readonly folder: string
  readonly origin: { readonly url: string; readonly revision: string }
  readonly port: number
  readonly log: (line: string) => void
}

class Havoc {
  readonly #settings: ChaosSettings
  readonly #servers: Servers
  readonly #parts: Parts
  readonly #random: Random
  readonly #client: FleetClient
  readonly #coordinator: Program
  readonly #workers: readonly Program[]
  readonly #plans: readonly PlannedRun[]
  readonly #kills: Record<Victim, number> = {
    worker: 0,
    'worker that stands still': 0,
    coordinator: 0,
    restate: 0,
    postgres: 0,
  }
  #starts = 0
  #answers = 0
  #isOver = false

  constructor(settings: ChaosSettings, servers: Servers, parts: Parts) {
    const { adminUrl, ingressUrl } = servers.restate.server
    const logPath = logPathIn(parts.folder)
    this.#settings = settings
    this.#servers = servers
    this.#parts = parts
    this.#random = randomOf(settings.seed, 1)
    this.#plans = plannedRuns(randomOf(settings.seed, 2), settings)
    this.#client = fleetClient(ingressUrl)
    this.#coordinator = new Program(join(import.meta.dirname, 'coordinator-process.ts'), logPath, () => ({
      ...{ adminUrl, port: parts.port, lostAfterMs },
    }))
    this.#workers = Array.from({ length: settings.workers }, (_, machine) => this.#worker(machine))
  }

  async wreak(): Promise<ChaosReport> {
    await this.#coordinator.start()
    await Promise.all(this.#workers.map((worker) => worker.start()))
    const people = [this.#submitAll(), this.#answerAll()]
    await this.#killAround()
    this.#parts.log('no more kills: all must come to its end')
    const isOver = await this.#waitForEnds()
    this.#isOver = true
    await Promise.all(people)
    return this.#report(isOver)
  }

  async dispose(): Promise<void> {
    this.#isOver = true
    await Promise.all([this.#coordinator, ...this.#workers].map((program) => program.kill()))
  }

  #worker(machine: number): Program {
    const { ingressUrl, adminUrl } = this.#servers.restate.server
    return new Program(join(import.meta.dirname, 'worker-process.ts'), logPathIn(this.#parts.folder), () => ({
      workerId: `w-${(this.#starts += 1)}`,
      ...{ ingressUrl, adminUrl, heartbeatMs },
      storeUrl: this.#servers.postgres.server.url,
      ledgerPath: this.#ledgerPath,
      folder: join(this.#parts.folder, `machine-${machine}`),
      slots: this.#settings.slotsPerWorker,
    }))
  }

  get #ledgerPath(): string {
    return join(this.#parts.folder, 'ledger.jsonl')
  }

  async #submitAll(): Promise<void> {
    const gapMs = (0.5 * this.#settings.durationMs) / this.#plans.length
    for (const plan of this.#plans) {
      const { runId } = plan
      const request = {
        runId,
        tenant,
        task: 'do it',
        labels: [],
        priority: 0,
        repository: this.#parts.origin,
        settings: { plan: jsonOf(plan) },
      }
      await persist(() => this.#client.submit(request))
      if (plan.ending === 'cancelled') void this.#cancelLater(runId)
      await pause(gapMs)
    }
  }

  async #cancelLater(runId: string): Promise<void> {
    await pause(0.2 * this.#settings.durationMs * this.#random())
    await persist(() => this.#client.cancel(runId, 'a person'))
  }

  async #answerAll(): Promise<void> {
    while (!this.#isOver) {
      const open = await persist(() => this.#parts.store.openQuestions())
      for (const { id, runId } of open) {
        const answer = { approved: true, by: 'a person', reason: 'go on', answeredAtMs: Date.now() }
        const { kind } = await persist(() => this.#parts.store.answerQuestion(id, answer))
        if (kind === 'answered') this.#answers += 1
        await persist(() => this.#client.wake(runId))
      }
      await pause(500)
    }
  }

  async #killAround(): Promise<void> {
    const endMs = performance.now() + this.#settings.durationMs
    while (performance.now() < endMs) {
      await pause(this.#settings.gapMs * 2 * this.#random())
      const victim = victims[Math.floor(this.#random() * victims.length)] ?? 'worker'
      this.#kills[victim] += 1
      this.#parts.log(victim)
      await this.#kill(victim, 200 + 2_000 * this.#random())
    }
  }

  /** It is back before the next one is killed; what stands still is still. */
  async #kill(victim: Victim, downMs: number): Promise<void> {
    const { restate, postgres } = this.#servers
    const worker = this.#workers[Math.floor(this.#random() * this.#workers.length)]
    switch (victim) {
      case 'worker':
        return comeBack(worker, downMs)
      case 'worker that stands still':
        void worker?.standStill(stillMs)
        return
      case 'coordinator':
        return comeBack(this.#coordinator, downMs)
      case 'restate':
        await restate.server.kill()
        await pause(downMs)
        await restate.restart()
        return
      case 'postgres':
        await postgres.server.kill()
        await pause(downMs)
        await postgres.restart()
    }
  }

  async #waitForEnds(): Promise<boolean> {
    const endMs = performance.now() + patienceMs
    let left = this.#plans.map(({ runId }) => runId)
    while (left.length > 0 && performance.now() < endMs) {
      const phases = await Promise.all(left.map((runId) => persist(() => this.#client.run(runId))))
      left = left.filter((_runId, index) => phases[index]?.phase.kind !== 'over')
      await pause(500)
    }
    return left.length === 0
  }

  /** Before it began: then there is no record of it. */
  async #wasCancelled(runId: string): Promise<boolean> {
    const phase = (await this.#client.run(runId))?.phase
    return phase?.kind === 'over' && phase.reason === 'user_interrupt'
  }

  async #report(isOver: boolean): Promise<ChaosReport> {
    const ledger = readLedger(this.#ledgerPath)
    const ended: Record<string, number> = {}
    const problems = isOver ? [] : ['not all runs are over for the fleet']
    let [events, toldAsUnknown] = [0, 0]
    const silences: Silence[] = []
    for (const plan of this.#plans) {
      const record = await this.#parts.store.read(plan.runId)
      const reason = record.at(-1)
      const name = reason?.type === 'run-stopped' ? reason.transition.reason : 'before it began'
      ended[name] = (ended[name] ?? 0) + 1
      events += record.length
      toldAsUnknown += record.filter(
        (event) => event.type === 'tool-returned' && event.status === 'unknown',
      ).length
      silences.push(...silencesOf(record))
      const isUnbegun = record.length === 0 && (await this.#wasCancelled(plan.runId))
      if (isUnbegun) continue
      const { store, origin } = this.#parts
      const work = await deliveredWork(store, plan.runId, record.length, origin.url)
      problems.push(...problemsOf(plan, record, ledger, work))
    }
    const kills = this.#kills
    silences.sort((left, right) => right.ms - left.ms).splice(shownSilences)
    return { kills, ended, events, toldAsUnknown, answers: this.#answers, silences, problems }
  }
}

async function comeBack(program: Program | undefined, downMs: number): Promise<void> {
  await program?.kill()
  await pause(downMs)
  // It may have to wait for a server that is killed next.
  void program?.start()
}

/** Of coordinator and workers. */
export function logPathIn(folder: string): string {
  return join(folder, 'processes.log')
}

/** Whoever asks while a server is down asks again. */
async function persist<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (;;)
    try {
      return await ask()
    } catch {
      await pause(300)
    }
}
