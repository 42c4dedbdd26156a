/** What the journal is told of the steps that it asks for, some at once, also when it has lost what it was told. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@donecheck/engine/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { filesOf, scriptedOpener } from '../../../../test/fleet/kit/scripted-opener.ts'
import { fleetClient } from '../coordinator/index.ts'
import { Performance, readSteps, type JournalledStep } from './performance.ts'

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
    const order = { request, attempt: 1, replaces }
    const performance = new Performance(parts, () => undefined)
    /** Four steps at once, as the journal asks for them; those that it knows already it does not ask for. */
    const ask = (first: number, sequence: number, entries = [0, 1, 2, 3], isLeaving = () => false) =>
      Promise.all(
        entries.map((index) => performance.step(order, { entry: first + index, first, sequence }, isLeaving)),
      )
    return { ask }
  }
  const effects = () => readFileSync(filesOf(folder, 'r').effects, 'utf8').trim().split('\n')
  return { begin, effects, store }
}

const kinds = (steps: readonly JournalledStep[]) => steps.map(({ kind }) => kind)

describe('given steps that are asked for at once', () => {
  it('then they are performed one after the other', async () => {
    const { begin } = stage(['do'])
    const steps = await begin().ask(0, 0)
    const sequences = steps.map((step) => (step.kind === 'stepped' ? step.sequence : 0))
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
    expect(sequences[0]).toBeGreaterThan(0)
  })

  it('then nothing is performed after the last one', async () => {
    const { begin } = stage([])
    expect(kinds(await begin().ask(0, 0))).toEqual(['stepped', 'stopped', 'none', 'none'])
  })

  it('then none is performed after one that waits, until they are asked for anew', async () => {
    const { begin } = stage(['back-off'])
    const { ask } = begin()
    const first = await ask(0, 0)
    expect(kinds(first)).toContain('waiting')
    expect(kinds(first).at(-1)).toBe('none')
    const { sequence } = readSteps(first, 0)
    const [next] = await ask(4, sequence)
    expect(next?.kind).toBe('waiting')
  })

  it('then a worker that goes meanwhile gives the run back once', async () => {
    const { begin } = stage(['do', 'do'])
    let asked = 0
    const isLeaving = () => (asked += 1) > 2
    const steps = await begin().ask(0, 0, [0, 1, 2, 3], isLeaving)
    expect(kinds(steps)).toEqual(['stepped', 'stepped', 'gave-back', 'none'])
  })
})

describe('given a journal that has lost what it was told', () => {
  it('then it is told once more, and nothing is done twice', async () => {
    const { begin, effects } = stage(['do', 'do', 'do'])
    const { ask } = begin()
    const told = await ask(0, 0)
    expect(await ask(0, 0, [2, 3])).toEqual(told.slice(2))
    expect(await ask(0, 0)).toEqual(told)
    expect(effects()).toHaveLength(1)
  })

  it('then a record that is further is believed by whoever opens it anew, however little of it is known', async () => {
    const { begin, effects, store } = stage(['do', 'do', 'do'])
    await begin().ask(0, 0)
    const recorded = (await store.read('r')).length
    const [first] = await begin({ replaces: true }).ask(0, 1, [0])
    expect(first).toEqual({ kind: 'stepped', sequence: recorded })
    expect(effects()).toHaveLength(1)
  })
})
