/** A coordinator's workers in processes of their own, over a store that outlives them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import { fleetClient, type FleetRequest } from '@donecheck/fleet/internal/coordinator'
import { bundled, type Bundled as BundledWorker } from '../../crash/bundled.ts'
import type { TestRestate } from './restate.ts'
import { filesOf } from './scripted-opener.ts'

export type { BundledWorker }

/** What every worker of a fleet is: to start one from its sources takes three times as long. */
export const bundledWorker = () => bundled('../fleet/kit/worker-process.ts')

/** A coordinator, a store, and workers that can be named and killed. */
export class Fleet {
  readonly #workers = new Map<string, ChildProcess>()
  readonly folder: string
  readonly store: Store
  readonly restate: () => TestRestate
  readonly #worker: BundledWorker

  constructor(folder: string, worker: BundledWorker, restate: () => TestRestate) {
    this.folder = folder
    this.#worker = worker
    this.store = openSqliteStore({ folder: join(folder, 'store') })
    this.restate = restate
  }

  get client() {
    return fleetClient(this.restate().server.ingressUrl)
  }

  async startWorker(workerId: string, slots = 2): Promise<void> {
    const { ingressUrl, adminUrl } = this.restate().server
    const storeFolder = join(this.folder, 'store')
    const folders = { storeFolder, effectsFolder: this.folder, runsFolder: join(this.folder, 'runs') }
    const settings = { workerId, ingressUrl, adminUrl, ...folders, slots }
    const { program, environment } = this.#worker
    const words = ['--no-warnings', program, JSON.stringify(settings)]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment })
    this.#workers.set(workerId, child)
    await once(child.stdout, 'data')
  }

  signal(workerId: string, signal: NodeJS.Signals): void {
    this.#workers.get(workerId)?.kill(signal)
  }

  async ended(workerId: string): Promise<void> {
    const child = this.#workers.get(workerId)
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async submit(
    runId: string,
    plan: readonly string[],
    place: Pick<FleetRequest, 'repository'> = {},
  ): Promise<void> {
    const request: FleetRequest = {
      ...{ runId, tenant: 'shop', task: 'do it', labels: [], priority: 0 },
      settings: { plan: [...plan] },
    }
    await this.client.submit({ ...request, ...place })
  }

  async phaseOf(runId: string) {
    return (await this.client.run(runId))?.phase
  }

  /** By which worker the run hangs in the middle of a call. */
  async hangs(runId: string): Promise<string> {
    const { hanging } = filesOf(this.folder, runId)
    const by = () => (existsSync(hanging) ? readFileSync(hanging, 'utf8') : '')
    await expect.poll(by, { interval: 20 }).not.toBe('')
    return by()
  }

  letGo(runId: string): void {
    writeFileSync(filesOf(this.folder, runId).go, '')
  }

  effects(runId: string): readonly string[] {
    return readFileSync(filesOf(this.folder, runId).effects, 'utf8').trim().split('\n')
  }

  async dispose(): Promise<void> {
    for (const child of this.#workers.values()) child.kill('SIGKILL')
    await this.store.close()
  }
}
