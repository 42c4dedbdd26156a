/** What the journal receives, also if it lost earlier steps. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@donecheck/engine/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { filesOf, scriptedOpener } from '../../../../test/fleet/kit/scripted-opener.ts'
import { fleetClient } from '../coordinator/index.ts'
import { Performance, type AskedSteps } from './performance.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-performance-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function stage(plan: readonly string[]) {
  const store = memoryStore()
  const request = {
    ...{ runId: 'r', tenant: 't', task: 'do it', labels: [], priority: 0 },
    settings: { plan: [...plan] },
  }
  const log = () => undefined
  const client = fleetClient('http://127.0.0.1:1')
  const own = { client, version: '1', log }
  const parts = { storeOf: async () => store, opener: scriptedOpener(folder, 'w'), folders: null, ...own }
  const begin = ({ replaces } = { replaces: false }) => {
    let ends = 0
    const performance = new Performance(parts, () => (ends += 1))
    const ask = (entry: number, sequence: number, asked: Partial<AskedSteps> = {}, attempt = 1) =>
      performance.steps(
        { request, attempt, replaces },
        { ...{ entry, sequence, isFull: () => false, isLeaving: () => false }, ...asked },
      )
    return { ask, ends: () => ends }
  }
  const effects = () => readFileSync(filesOf(folder, 'r').effects, 'utf8').trim().split('\n')
  return { begin, effects, store }
}

/** Whether that many were asked before. */
function after(many: number): () => boolean {
  let asked = 0
  return () => (asked += 1) > many
}

describe('given decisions that the journal asks for', () => {
  it('then they share an entry until it is full, and the next one goes on from there', async () => {
    const { begin, effects, store } = stage(['do', 'do'])
    const { ask, ends } = begin()
    const far = async (entry: number, sequence: number, decisions: number) => {
      const steps = await ask(entry, sequence, { isFull: after(decisions - 1) })
      return steps.kind === 'stepped' ? steps.sequence : Number.NaN
    }
    const one = await far(0, 0, 1)
    const three = await far(1, one, 2)
    expect(one).toBeGreaterThan(0)
    expect(three).toBeGreaterThan(one)
    expect(await store.read('r')).toHaveLength(three)
    expect(ends()).toBe(0)
    expect(await ask(2, three)).toMatchObject({ kind: 'stopped' })
    expect(ends()).toBe(1)
    expect(effects()).toHaveLength(2)
  })
})

describe('given a worker that was taken for lost, and is given its run again while it is at it', () => {
  it('then the run goes on as it is, and nobody opens it a second time', async () => {
    const { begin, effects, store } = stage(['do', 'do', 'do'])
    const { ask } = begin()
    const [, again] = await Promise.all([ask(0, 0, { isFull: after(3) }), ask(0, 0, {}, 2)])
    expect(again).toMatchObject({ kind: 'stopped' })
    expect(effects()).toHaveLength(3)
    const types = (await store.read('r')).map(({ type }) => type)
    expect(types).not.toContain('run-resumed')
  })

  it('then it is opened anew where another worker had it meanwhile', async () => {
    const { begin, effects, store } = stage(['do', 'do', 'do'])
    const [here, there] = [begin(), begin({ replaces: true })]
    await here.ask(0, 0, { isFull: after(3) })
    await there.ask(0, 0, { isFull: after(3) }, 2)
    await there.ask(1, 0, { isLeaving: () => true }, 2)
    expect(await here.ask(0, 0, {}, 3)).toMatchObject({ kind: 'stopped' })
    expect(effects()).toHaveLength(3)
    const sequences = (await store.read('r')).map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  })
})

describe('given a run that two workers begin at once', () => {
  it('then the one that comes later is not refused, and goes on with what the other has begun', async () => {
    const { begin, effects, store } = stage(['do', 'do'])
    const read = store.read.bind(store)
    const late = begin({ replaces: true })
    let looks = 0
    store.read = async (runId) => {
      looks += 1
      if (looks > 1) return read(runId)
      // Right after the look of the one, the other begins.
      await begin().ask(0, 0, { isFull: after(3) })
      return []
    }
    expect(await late.ask(0, 0, {}, 2)).toMatchObject({ kind: 'broke' })
    expect(await late.ask(0, 0, {}, 3)).toMatchObject({ kind: 'stopped', outcome: 'unverified' })
    expect(effects()).toHaveLength(2)
  })
})

describe('given a journal that has lost what it was told', () => {
  it('then it is told once more, also while the work goes on, and nothing is done twice', async () => {
    const { begin, effects } = stage(['do', 'do', 'do'])
    const { ask } = begin()
    const [told, again] = await Promise.all([ask(0, 0), ask(0, 0)])
    expect(again).toEqual(told)
    expect(await ask(0, 0)).toEqual(told)
    expect(effects()).toHaveLength(3)
  })
})
