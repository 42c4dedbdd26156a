import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { RunSummary } from '@donecheck/engine/internal/ports/store'
import { listLines, shortIdLength } from './show.ts'

const nowMs = 10 * 24 * 60 * 60 * 1000

const run = (runId: string, more: Partial<RunSummary> = {}): RunSummary => ({
  ...{ runId, startedAtMs: 0, updatedAtMs: nowMs, events: 2, task: 'Mend the cart.', workFolder: '/srv' },
  ...{ agent: 'claude', reason: 'task_complete', outcome: 'verified', cap: undefined, detector: undefined },
  ...{ tags: [], ...more },
})

const shown = (runs: readonly RunSummary[], columns?: number) =>
  listLines(runs, { ids: runs.map(({ runId }) => runId), nowMs, columns, waits: new Map() }).map(
    ({ text }) => text,
  )

describe('given runs on record', () => {
  it('then each is a line with a short id, its age, its end in plain words, and what was asked for', () => {
    const runs = [
      run('01M8BRJXCD9J2KQMBBEJCB9EXP', { outcome: undefined, reason: undefined }),
      run('01M8BRJSG7736SZ0DMVEFKXK2B', {
        updatedAtMs: nowMs - 5 * 60_000,
        ...{ outcome: 'failed', reason: 'verifier_failed_unrecoverable', task: 'verify: npm test' },
      }),
      run('01M8BQ0000736SZ0DMVEFKXK2B', {
        updatedAtMs: nowMs - 50 * 60 * 60_000,
        ...{ outcome: 'exhausted', reason: 'hard_cap', cap: 'model_calls', tags: ['nightly'] },
      }),
      run('01M8BP0000736SZ0DMVEFKXK2B', { outcome: 'blocked', reason: 'awaiting_approval', imported: true }),
    ]
    expect(shown(runs)).toEqual([
      '01M8BRJX  just now    not ended                             Mend the cart.',
      '01M8BRJS  5 min ago   failed                                verify: npm test',
      '01M8BQ00  2 days ago  exhausted: model calls                Mend the cart. [nightly]',
      '01M8BP00  just now    imported: blocked: awaiting approval  Mend the cart.',
    ])
  })

  it('then no line is longer than the terminal is wide', () => {
    for (const line of shown([run('01M8BRJXCD9J2KQMBBEJCB9EXP', { task: 'word '.repeat(40) })], 80))
      expect(line).toHaveLength(80)
  })
})

test.prop([fc.uniqueArray(fc.stringMatching(/^[0-9A-Z]{26}$/), { minLength: 1 })])(
  'every short id leads to one run alone',
  (ids) => {
    const short = new Set(ids.map((id) => id.slice(0, shortIdLength(ids))))
    expect(short.size).toBe(ids.length)
  },
)
