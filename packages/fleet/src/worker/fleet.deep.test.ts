/** A fleet with a real Restate: workers in processes of their own that are killed, stopped and started again. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/events'
import type { Store } from '@donecheck/engine/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import { keepsCompiled } from '../../../../test/fleet/kit/compiled.ts'
import { describeWithRestate, type TestRestate } from '../../../../test/fleet/kit/restate.ts'
import {
  fleetClient,
  lookForLost,
  restateAdmin,
  serveCoordinator,
  workerServiceName,
  type FleetRequest,
  type RestateAdmin,
  type ServedEndpoint,
} from '../coordinator/index.ts'
import { filesOf } from '../../../../test/fleet/kit/scripted-opener.ts'

const program = join(import.meta.dirname, '../../../../test/fleet/kit/worker-process.ts')

/** A coordinator, a store, and workers that can be named and killed. */
class Fleet {
  readonly #workers = new Map<string, ChildProcess>()
  readonly folder: string
  readonly store: Store
  readonly restate: () => TestRestate

  constructor(folder: string, restate: () => TestRestate) {
    this.folder = folder
    this.store = openSqliteStore({ folder: join(folder, 'store') })
    this.restate = restate
  }

  get client() {
    return fleetClient(this.restate().server.ingressUrl)
  }

  async startWorker(workerId: string, slots = 2): Promise<void> {
    const { ingressUrl, adminUrl } = this.restate().server
    const storeFolder = join(this.folder, 'store')
    const settings = { workerId, ingressUrl, adminUrl, storeFolder, effectsFolder: this.folder, slots }
    const words = ['--conditions=donecheck-source', '--no-warnings', program, JSON.stringify(settings)]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: keepsCompiled })
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

  async submit(runId: string, plan: readonly string[]): Promise<void> {
    const request: FleetRequest = {
      ...{ runId, tenant: 'shop', task: 'do it', labels: [], priority: 0 },
      settings: { plan: [...plan] },
    }
    await this.client.submit(request)
  }

  async phaseOf(runId: string) {
    return (await this.client.run(runId))?.phase
  }

  /** By which worker the run hangs in the middle of a call. */
  async hangs(runId: string): Promise<string> {
    const { hanging } = filesOf(this.folder, runId)
    await expect.poll(() => existsSync(hanging), { interval: 20 }).toBe(true)
    return readFileSync(hanging, 'utf8')
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

function isWhole(events: readonly RunEvent[]): boolean {
  return (
    events.every(({ sequence }, index) => sequence === index + 1) && events.at(-1)?.type === 'run-stopped'
  )
}

async function servicesOf(admin: RestateAdmin): Promise<readonly string[]> {
  return (await admin.deployments()).flatMap(({ services }) => services)
}

const over = { kind: 'over', reason: 'model_ended' }

describeWithRestate('given a fleet of two workers', (restate) => {
  const fleets: Fleet[] = []
  let number = 0
  let coordinator: ServedEndpoint | undefined
  /** Always at the same address: what it had begun when it was stopped is gone on with by the next one there. */
  const coordinate = async () => {
    const port = coordinator === undefined ? 0 : Number(new URL(coordinator.url).port)
    const admin = restateAdmin(restate().server.adminUrl)
    const listen = { host: '127.0.0.1', port }
    coordinator = await serveCoordinator({ listen, admin, version: 'test', lostAfterMs: 5_000 })
  }
  beforeAll(coordinate)
  afterAll(async () => coordinator?.close())
  const begin = async () => {
    const fleet = new Fleet(await mkdtemp(join(tmpdir(), 'donecheck-fleet-')), restate)
    fleets.push(fleet)
    number += 1
    const [first, second] = [`a-${number}`, `b-${number}`]
    await fleet.startWorker(first)
    await fleet.startWorker(second)
    return { fleet, otherThan: (workerId: string) => (workerId === first ? second : first) }
  }
  afterEach(async () => {
    for (const fleet of fleets.splice(0)) await fleet.dispose()
  })

  describe('one of which is killed in the middle of a step', () => {
    it('ends the run on the other, which is told of the call that nobody answered', async () => {
      const { fleet, otherThan } = await begin()
      await fleet.submit('killed', ['do', 'hang', 'do'])
      const lost = await fleet.hangs('killed')
      fleet.signal(lost, 'SIGKILL')
      await expect.poll(() => fleet.phaseOf('killed')).toMatchObject(over)
      const events = await fleet.store.read('killed')
      expect(isWhole(events)).toBe(true)
      expect(events.filter(({ type }) => type === 'run-resumed')).toHaveLength(1)
      expect(
        events.find((event) => event.type === 'tool-returned' && event.status === 'unknown'),
      ).toBeDefined()
      expect(fleet.effects('killed')).toEqual([`do by ${lost}`, `do by ${otherThan(lost)}`])
    })
  })

  describe('one of which is killed and started again under its name, before anybody misses it', () => {
    it('goes on with its run at once', async () => {
      const { fleet } = await begin()
      await fleet.submit('again', ['do', 'hang', 'do'])
      const killed = await fleet.hangs('again')
      fleet.signal(killed, 'SIGKILL')
      await fleet.startWorker(killed)
      await expect.poll(() => fleet.phaseOf('again')).toMatchObject(over)
      expect(isWhole(await fleet.store.read('again'))).toBe(true)
      expect(fleet.effects('again')).toHaveLength(2)
    })
  })

  describe('one of which stands still and is taken for lost', () => {
    it('lets it write nothing when it comes back, and gives it work again although its deployment was removed', async () => {
      const { fleet, otherThan } = await begin()
      await fleet.submit('stuck', ['hang', 'do'])
      const stuck = await fleet.hangs('stuck')
      fleet.signal(stuck, 'SIGSTOP')
      await expect.poll(() => fleet.phaseOf('stuck')).toMatchObject(over)
      const events = await fleet.store.read('stuck')
      const admin = restateAdmin(restate().server.adminUrl)
      const look = lookForLost({ client: fleet.client, admin, log: () => undefined })
      await look(0)
      await look(600_000)
      expect(await servicesOf(admin)).not.toContain(workerServiceName(stuck))
      expect(await servicesOf(admin)).toContain(workerServiceName(otherThan(stuck)))
      fleet.letGo('stuck')
      fleet.signal(stuck, 'SIGCONT')
      // It has come back and done what it was at: only its record is no longer its own.
      await expect.poll(() => fleet.effects('stuck')).toContain(`hang by ${stuck}`)
      await expect.poll(() => servicesOf(admin)).toContain(workerServiceName(stuck))
      fleet.signal(otherThan(stuck), 'SIGTERM')
      await fleet.ended(otherThan(stuck))
      await fleet.submit('after', ['do'])
      await expect.poll(() => fleet.phaseOf('after')).toMatchObject(over)
      expect(fleet.effects('after')).toEqual([`do by ${stuck}`])
      expect(await fleet.store.read('stuck')).toEqual(events)
      expect(fleet.effects('stuck')[0]).toBe(`do by ${otherThan(stuck)}`)
    })
  })

  describe('and a run that waits for a person', () => {
    it('goes on with the answer after all of it was killed and started again', async () => {
      const { fleet } = await begin()
      await fleet.submit('asked', ['ask', 'do'])
      await expect
        .poll(() => fleet.phaseOf('asked'))
        .toMatchObject({ kind: 'waiting', for: { kind: 'question' } })
      for (const worker of [`a-${number}`, `b-${number}`]) fleet.signal(worker, 'SIGKILL')
      await coordinator?.close()
      await restate().server.kill()
      await restate().restart()
      const [question] = await fleet.store.openQuestions()
      await fleet.store.answerQuestion(question?.id ?? '', {
        approved: true,
        by: 'Mia',
        reason: 'fine',
        answeredAtMs: 1,
      })
      await coordinate()
      await fleet.startWorker(`c-${number}`)
      await fleet.client.wake('asked')
      await expect.poll(() => fleet.phaseOf('asked')).toMatchObject(over)
      expect(fleet.effects('asked')).toEqual([`ask by c-${number}`, `do by c-${number}`])
      const types = (await fleet.store.read('asked')).map(({ type }) => type)
      expect(types.filter((type) => type === 'approval-requested')).toHaveLength(1)
      expect(types).not.toContain('run-resumed')
    })

    it('ends when it is cancelled, and so does one that is at work', async () => {
      const { fleet } = await begin()
      // What nobody understands holds up nothing that comes after it.
      for (const object of ['donecheck-dispatcher/fleet', 'donecheck-run/suspended'])
        await fetch(`${restate().server.ingressUrl}/${object}/tell/send`, {
          method: 'POST',
          body: '{"kind":"?"}',
        })
      await fleet.submit('suspended', ['ask'])
      await fleet.submit('working', ['hang'])
      await fleet.hangs('working')
      await expect.poll(() => fleet.phaseOf('suspended')).toMatchObject({ kind: 'waiting' })
      for (const runId of ['suspended', 'working']) {
        await fleet.client.cancel(runId, 'Mia')
        await expect
          .poll(() => fleet.phaseOf(runId))
          .toMatchObject({ kind: 'over', reason: 'user_interrupt' })
        const events = await fleet.store.read(runId)
        expect(events.some((event) => event.type === 'interrupt-requested' && event.by === 'Mia')).toBe(true)
      }
    })
  })

  describe('one of which is told to end', () => {
    it('gives its run back after the step that it is at, and waits meanwhile for nobody', async () => {
      const { fleet, otherThan } = await begin()
      await fleet.submit('drained', ['back-off', 'hang', 'do'])
      const going = await fleet.hangs('drained')
      fleet.signal(going, 'SIGTERM')
      fleet.letGo('drained')
      await fleet.ended(going)
      await expect.poll(() => fleet.phaseOf('drained')).toMatchObject(over)
      expect(fleet.effects('drained').slice(1)).toEqual([`hang by ${going}`, `do by ${otherThan(going)}`])
      const events = await fleet.store.read('drained')
      expect(isWhole(events)).toBe(true)
      expect(events.map(({ type }) => type)).not.toContain('run-resumed')
    })
  })
})
