import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { runStarted, stamp } from '@donecheck/core/testing'
import { goalSet, modelCalled, modelClaimed, runStopped } from '@donecheck/core/internal/testing/facts'
import { memoryStore } from '@donecheck/engine/store'
import { followRun } from './show.ts'

const events = stamp([
  runStarted(),
  goalSet('mend it'),
  modelCalled(1),
  modelClaimed('Done.'),
  runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
])

/** Another process appends these batches, one whenever the watcher waits. */
async function watched(batches: readonly (readonly RunEvent[])[], patience: number) {
  const store = memoryStore()
  const shown: string[] = []
  let waits = 0
  const append = async () => {
    const batch = batches[waits] ?? []
    if (batch.length > 0) await store.append((batch[0]?.sequence ?? 1) - 1, batch, null)
  }
  await append()
  const output = { event: ({ type }: RunEvent) => void shown.push(type) }
  const exitCode = await followRun('run-1', store, output, async () => {
    waits += 1
    await append()
    return waits < patience
  })
  return { shown, exitCode, events: await store.read('run-1') }
}

describe('given a run that goes on in another process', () => {
  it('then each of its events is shown once, as it comes, until it ends, with its exit code', async () => {
    const { shown, exitCode } = await watched(
      [events.slice(0, 2), events.slice(2, 4), [], events.slice(4)],
      9,
    )
    expect(shown).toEqual(events.map(({ type }) => type))
    expect(exitCode).toBe(3)
  })

  it('when whoever watches has seen enough, then the run is left alone', async () => {
    const seen = await watched([events.slice(0, 2), events.slice(2, 3)], 1)
    expect(seen).toMatchObject({ exitCode: 130, events: events.slice(0, 3) })
    expect(seen.shown).toHaveLength(2)
  })

  it('when it has ended already, then it is told from beginning to end', async () => {
    expect((await watched([events], 0)).shown).toHaveLength(events.length)
  })
})
