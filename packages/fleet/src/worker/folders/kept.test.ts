import { describe, expect, it } from 'vitest'
import { memoryStore } from '@donecheck/engine/testing'
import { forgetSnapshotsBefore, keepSnapshot, latestSnapshot, packPatch, patchOf } from './kept.ts'

const runId = 'run-1'

function snapshotOf(tree: string) {
  return { tree, patch: packPatch(Buffer.from(`to ${tree}`)), nested: [] }
}

describe('given trees of a run that were kept after several turns', () => {
  it('then the latest alone stays, whole, beside all that is none of them', async () => {
    const store = memoryStore()
    await store.attach(runId, { digest: 'fleet-base', content: '{}' })
    for (const sequence of [9, 10, 101])
      await keepSnapshot(store, runId, sequence, snapshotOf(`t${sequence}`))
    // The process was killed after it stored the second and before it deleted the first.
    await forgetSnapshotsBefore(store, runId, 101)
    expect(await store.attachmentDigests(runId)).toEqual(['fleet-base', 'fleet-tree-101'])
    const latest = await latestSnapshot(store, runId)
    expect(latest).toMatchObject({ tree: 't101', sequence: 101 })
    expect(latest && patchOf(latest).toString()).toBe('to t101')
  })

  it('then whoever was late takes away no later one, and its reader finds that', async () => {
    const store = memoryStore()
    for (const sequence of [4, 7]) await keepSnapshot(store, runId, sequence, snapshotOf(`t${sequence}`))
    let isFirst = true
    const slow = {
      ...store,
      attachmentDigests: async (id: string) => {
        const digests = await store.attachmentDigests(id)
        if (isFirst) await keepSnapshot(store, runId, 8, snapshotOf('t8'))
        if (isFirst) await forgetSnapshotsBefore(store, runId, 8)
        isFirst = false
        return digests
      },
    }
    expect(await latestSnapshot(slow, runId)).toMatchObject({ tree: 't8' })
    await forgetSnapshotsBefore(store, runId, 7)
    expect(await latestSnapshot(store, runId)).toMatchObject({ tree: 't8' })
    expect(await latestSnapshot(store, 'another')).toBeUndefined()
  })
})
