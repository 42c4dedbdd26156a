import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { openSqliteStore } from '@donecheck/engine/store'
import { begun, stamp } from '@donecheck/core/testing'
import type { CliIo } from '../../process/io.ts'
import { goalChangeCommand, type GoalAction, type GoalFlags } from './goal.ts'

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-goal-'))
  await inStore(async (store) => {
    await store.takeIn(stamp([begun()], { runId: 'BUILD-1', startMs: 1_000_000 }))
    await store.takeIn(stamp([begun()], { runId: 'SHOP-2', startMs: 2_000_000 }))
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function inStore<Value>(work: (store: ReturnType<typeof openSqliteStore>) => Promise<Value>) {
  const store = openSqliteStore({ folder: join(folder, 'store') })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function asks(action: GoalAction, words: string, flags: GoalFlags = {}): Promise<void> {
  const io: CliIo = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: {},
    currentFolder: folder,
    homeFolder: join(folder, 'home'),
  }
  await goalChangeCommand(action, 'SHOP', [words], { store: 'store', ...flags }, io)
}

async function changesAsked() {
  const { unanswered } = await inStore((store) => goalControl(store).show('SHOP-2'))
  return unanswered.map(({ change }) => change)
}

describe('given a run that has not come to a boundary yet', () => {
  it('takes several parts without an id, and gives each its own', async () => {
    await asks('add', 'The first', { until: ['true'] })
    await asks('add', 'The second', { until: ['true', 'false'] })
    expect(await changesAsked()).toMatchObject([
      { subGoal: { id: 'part-1', title: 'The first' } },
      { subGoal: { id: 'part-2', checks: ['goal part-2', 'goal part-2 2'] } },
    ])
  })

  it('waits for a run by the beginning of its id', async () => {
    await asks('wait', '', { run: 'build' })
    expect(await changesAsked()).toMatchObject([
      { awaited: { kind: 'run', runId: 'BUILD-1' }, reason: 'run BUILD-1' },
    ])
  })

  it.each([
    ['nobody', 'there is no run nobody in'],
    ['last', 'run SHOP-2 cannot wait for itself'],
  ])('does not wait for run %s', async (run, message) => {
    await expect(asks('wait', '', { run })).rejects.toThrow(message)
    expect(await changesAsked()).toEqual([])
  })

  it('takes a budget in the words of the goal file', async () => {
    await asks('add', 'Docs', { atMost: '200k tokens and 1 hour' })
    expect(await changesAsked()).toMatchObject([
      { subGoal: { budget: { tokens: 200_000, activeMs: 3_600_000 } } },
    ])
    await expect(asks('add', 'More', { atMost: '0.5 turns' })).rejects.toThrow('--at-most takes amounts of')
  })
})
