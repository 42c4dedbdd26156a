/** The fleet's delegate tool: what it passes on, and how it reports the results. */
import { describe, expect, it } from 'vitest'
import { noConsumption } from '@donecheck/core/internal/state'
import { noCaps } from '@donecheck/core/testing'
import type { SubRunEnd, SubRunGrant } from '@donecheck/engine/internal/ports/loop'
import { memoryStore } from '@donecheck/engine/testing'
import type { FleetRequest, FleetRun } from '../coordinator/index.ts'
import { delegateTool } from './delegate.ts'
import type { PartLaid, RunFolder } from './folders/index.ts'

/** What its parts have of it too. */
const ofAll = {
  ...{ tenant: 'shop', labels: ['gpu'], priority: 5, provider: 'acme', folder: '/srv/shop' },
  settings: { model: 'acme/large' },
}
const request: FleetRequest = { ...ofAll, runId: 'whole', task: 'do it', resume: { id: 'again', topUp: {} } }

/** A fleet that accepts every run, and a folder that takes every part except those given. */
function stage(laid: Readonly<Record<string, PartLaid>> = {}) {
  const store = memoryStore()
  const submitted: FleetRequest[] = []
  const deeds: string[] = []
  const over = new Map<string, string>()
  const runOf = (given: FleetRequest): FleetRun => {
    const message = over.get(given.runId)
    return {
      ...{
        request: given,
        attempt: 1,
        isWoken: false,
        isOrphan: false,
        breaks: 0,
        problem: '',
        watchers: [],
      },
      phase:
        message === undefined
          ? { kind: 'queued' }
          : { kind: 'over', reason: 'refused', outcome: null, message },
    }
  }
  const client = {
    submit: async (given: FleetRequest) => {
      deeds.push(`submit ${given.runId}`)
      submitted.push(given)
    },
    cancel: async () => undefined,
    run: async (runId: string) => submitted.filter((given) => given.runId === runId).map(runOf)[0],
  }
  const folder: RunFolder = {
    ...{ folder: '/srv/shop', snapshotFolder: '/state', notice: undefined },
    keep: () => Promise.resolve(undefined),
    handOver: async (runId) => void deeds.push(`keep the tree for ${runId}`),
    layOver: (runId) => {
      const known = laid[runId]
      return known === undefined ? Promise.reject(new Error('no such tree')) : Promise.resolve(known)
    },
    deliver: () => Promise.reject(new TypeError('nothing is delivered here')),
    remove: () => Promise.resolve(),
  }
  const tool = delegateTool({ request, store, folder, client, version: '7' })
  const grant = (runId: string): SubRunGrant => ({
    ...{ runId, parent: { runId: 'whole', callId: 'c' }, caps: noCaps, store },
    secrets: { TOKEN: 's3cret-t0ken' },
  })
  const call = async (...tasks: readonly { readonly task: string; readonly part?: string }[]) => {
    const prepared = await tool.prepare({ tasks: tasks.map((one) => ({ ...one })) })
    if (prepared.kind !== 'sub-runs') throw new TypeError(JSON.stringify(prepared))
    return prepared
  }
  return { tool, call, grant, submitted, deeds, over }
}

const ended = (outcome: SubRunEnd['outcome'], message: string): SubRunEnd => ({
  ...{ spent: noConsumption, outcome, message },
})

describe('given a part that a model hands on', () => {
  it('then the fleet gets a run of it, after its tree was kept, once and without a secret', async () => {
    const { call, grant, submitted, deeds } = stage()
    const prepared = await call({ task: 'use s3cret-t0ken' })
    for (const state of [{ kind: 'at-work' }, { kind: 'at-work' }])
      expect(await prepared.conduct(grant('a'), 0)).toEqual(state)
    expect(deeds).toEqual(['keep the tree for a', 'submit a'])
    expect(submitted).toMatchObject([
      { ...ofAll, runId: 'a', version: '7', parent: { runId: 'whole', callId: 'c' } },
    ])
    expect(submitted[0]).not.toHaveProperty('resume')
    expect(JSON.stringify(submitted)).not.toContain('s3cret')
  })
})

describe('given parts that have ended', () => {
  it('then all that they have changed is in the folder, or it is said where it is', async () => {
    const { call } = stage({
      a: { kind: 'laid', files: ['a.ts'] },
      b: { kind: 'conflict', files: ['a.ts'] },
    })
    const prepared = await call({ task: 'one', part: 'p1' }, { task: 'two' }, { task: 'three' })
    const { status, output } = await prepared.report([
      { runId: 'a', end: ended('verified', 'done') },
      { runId: 'b', end: ended('unverified', 'it says so') },
      { runId: 'c', end: ended(null, 'its worker broke') },
    ])
    expect(status).toBe('error')
    expect(output.split('\n\n')).toEqual([
      'Helper 1 (run a) ended as verified: done. Its changes are in your folder: a.ts.',
      expect.stringMatching(/^Helper 2 .* NOT in your folder.* in a\.ts: "donecheck fleet patch b" has them/),
      expect.stringMatching(/^Helper 3 .* unfinished: its worker broke\. .*no such tree.* patch c"/),
    ])
  })
})
