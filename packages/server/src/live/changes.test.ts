import { describe, expect, it } from 'vitest'
import { memoryStore } from '@donecheck/engine/store'
import { sampleTurns } from '@donecheck/core/testing'
import { storeChanges } from './index.ts'

describe('given a store that says by itself when something has changed', () => {
  it('it is listened to for as long as somebody wants its news, and each of them is told', async () => {
    const store = memoryStore()
    const rings = new Set<() => void>()
    const changes = storeChanges({
      changes: (after) => store.changes(after),
      onChange: (ring) => {
        rings.add(ring)
        return () => rings.delete(ring)
      },
    })
    const told: string[] = []
    const stops = await Promise.all([1, 2].map(() => changes.listen((runIds) => told.push(...runIds))))
    expect(rings.size).toBe(1)
    await store.append(0, sampleTurns(1), null)
    for (const ring of rings) ring()
    await expect.poll(() => told).toEqual(['run-1', 'run-1'])
    for (const stop of stops) stop()
    expect(rings.size).toBe(0)
  })
})
