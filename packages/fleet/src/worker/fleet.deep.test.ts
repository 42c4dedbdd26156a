/** A fleet with a real Restate: workers in processes of their own that are killed, stopped and started again. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { describeWithRestate } from '../../../../test/fleet/kit/restate.ts'
import { bundledWorker, Fleet, type BundledWorker } from '../../../../test/fleet/kit/test-fleet.ts'
import {
  lookForLost,
  restateAdmin,
  serveCoordinator,
  workerServiceName,
  type RestateAdmin,
  type ServedEndpoint,
} from '../coordinator/index.ts'

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
  /** Always at the same address, so that the next one continues what this one started. */
  const coordinate = async () => {
    const port = coordinator === undefined ? 0 : Number(new URL(coordinator.url).port)
    const admin = restateAdmin(restate().server.adminUrl)
    const listen = { host: '127.0.0.1', port }
    coordinator = await serveCoordinator({ listen, admin, version: 'test', lostAfterMs: 5_000 })
  }
  let worker: BundledWorker
  beforeAll(async () => {
    worker = await bundledWorker()
    await coordinate()
  })
  afterAll(async () => {
    await coordinator?.close()
    await worker.remove()
  })
  const begin = async () => {
    const fleet = new Fleet(await mkdtemp(join(tmpdir(), 'donecheck-fleet-')), worker, restate)
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
      // An unreadable message must not block later ones.
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
})
