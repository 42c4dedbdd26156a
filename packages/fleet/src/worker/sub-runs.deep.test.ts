/** A run delegates to workers, one of which dies: nothing is lost, done twice or paid twice. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { fold } from '@donecheck/core/internal/state'
import { describeWithRestate } from '../../../../test/fleet/kit/restate.ts'
import { bundledWorker, Fleet, type BundledWorker } from '../../../../test/fleet/kit/test-fleet.ts'
import { restateAdmin, serveCoordinator, type ServedEndpoint } from '../coordinator/index.ts'
import { git, newRepository, removePlaces } from './folders/fixtures/places.ts'

describeWithRestate('given a fleet of three workers with one slot each', (restate) => {
  let coordinator: ServedEndpoint | undefined
  let fleet: Fleet
  let worker: BundledWorker
  beforeAll(async () => {
    worker = await bundledWorker()
    const admin = restateAdmin(restate().server.adminUrl)
    const listen = { host: '127.0.0.1', port: 0 }
    coordinator = await serveCoordinator({ listen, admin, version: 'test', lostAfterMs: 3_000 })
    fleet = new Fleet(await mkdtemp(join(tmpdir(), 'donecheck-fleet-')), worker, restate)
    await Promise.all(['a', 'b', 'c'].map((workerId) => fleet.startWorker(workerId, 1)))
  })
  afterAll(async () => {
    await fleet.dispose()
    await coordinator?.close()
    await worker.remove()
  })
  afterEach(removePlaces)

  /** A run that has two parts at work, on workers that hang. */
  const spread = async (runId: string) => {
    const url = newRepository({ 'README.md': 'a shop\n' })
    await fleet.submit(runId, ['do', 'spread'], { repository: { url, revision: 'main' } })
    const [left, right] = await Promise.all([
      fleet.hangs(`left of ${runId}`),
      fleet.hangs(`right of ${runId}`),
    ])
    await expect.poll(() => fleet.phaseOf(runId)).toMatchObject({ kind: 'waiting', for: { kind: 'run' } })
    const started = (await fleet.store.read(runId)).filter((event) => event.type === 'sub-run-started')
    return { url, left, right, parts: started.map(({ childRunId }) => childRunId) }
  }

  it('has two of them at work at once, and the run ends verified although one of the workers is killed', async () => {
    const { url, left, right, parts } = await spread('whole')
    expect(left).not.toBe(right)
    fleet.signal(left, 'SIGKILL')
    fleet.letGo('right of whole')
    await expect.poll(() => fleet.phaseOf('whole')).toMatchObject({ kind: 'over', reason: 'task_complete' })
    expect(git(url, 'diff', '--name-status', 'main', 'donecheck/whole')).toBe('A\tleft.txt\nA\tright.txt')
    const events = await fleet.store.read('whole')
    expect(events.every(({ sequence }, index) => sequence === index + 1)).toBe(true)
    const ended = events.filter((event) => event.type === 'sub-run-ended')
    expect(ended.map(({ childRunId }) => childRunId)).toEqual(parts)
    const children = await Promise.all(parts.map(async (part) => fold(await fleet.store.read(part))))
    expect(ended.map(({ spent }) => spent?.iterations)).toEqual(
      children.map((child) => child?.consumption.iterations),
    )
    const own = events.filter(({ type }) => type === 'turn-ended').length
    const all = children.reduce((sum, child) => sum + (child?.consumption.iterations ?? 0), own)
    expect(fold(events)?.consumption.iterations).toBe(all)
    expect(children.map((child) => child?.settings.caps.maxIterations)).toEqual([43, 44])
  })

  it('ends the parts when the run is cancelled', async () => {
    await fleet.startWorker('d', 1)
    const { parts } = await spread('cancelled')
    await fleet.client.cancel('cancelled', 'Mia')
    await expect
      .poll(() => fleet.phaseOf('cancelled'))
      .toMatchObject({ kind: 'over', reason: 'user_interrupt' })
    for (const part of parts)
      expect(await fleet.phaseOf(part)).toMatchObject({ kind: 'over', reason: 'user_interrupt' })
    const ended = (await fleet.store.read('cancelled')).filter((event) => event.type === 'sub-run-ended')
    expect(ended).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'interrupted' }])
  })
})
