import { describe, expect, it } from 'vitest'
import { given, submitted, worker } from './fixtures/told.ts'
import type { Schedule } from './index.ts'

const placed = (schedule: Schedule, atMs = 0): string[] =>
  schedule.place(atMs).placements.map(({ runId, workerId }) => `${runId} on ${workerId}`)

describe('the schedule', () => {
  it('gives a run to a worker whose labels and version fit, and keeps the workers with rare labels free', () => {
    const schedule = given(
      worker('gpu', { labels: ['linux', 'gpu'] }),
      worker('plain', { labels: ['linux'] }),
      worker('old', { labels: ['linux'], version: '0.9.0' }),
      submitted('any', { labels: ['linux'], version: '1.0.0' }),
      submitted('needs-gpu', { labels: ['gpu'] }),
      submitted('began-long-ago', { version: '0.9.0' }),
      submitted('needs-windows', { labels: ['windows'] }),
    )
    expect(placed(schedule).sort()).toEqual(['any on plain', 'began-long-ago on old', 'needs-gpu on gpu'])
  })

  it('gives a run that comes back its old worker, before those that have not begun', () => {
    const schedule = given(worker('w1'), worker('w2'), submitted('first'), submitted('second', {}, 1))
    expect(placed(schedule, 1)).toEqual(['first on w1', 'second on w2'])
    schedule.tell({ kind: 'run-waiting', atMs: 2, runId: 'second', attempt: 1 })
    schedule.tell(submitted('new', {}, 3))
    expect(placed(schedule, 3)).toEqual(['new on w2'])
    schedule.tell(submitted('urgent', { priority: 9 }, 4))
    schedule.tell({ kind: 'run-ready', atMs: 5, runId: 'second', attempt: 1 })
    schedule.tell({ kind: 'run-finished', atMs: 6, runId: 'first' })
    schedule.tell({ kind: 'run-finished', atMs: 6, runId: 'new' })
    expect(placed(schedule, 6)).toEqual(['second on w2', 'urgent on w1'])
  })

  it('pins the version of the first worker', () => {
    const schedule = given(worker('w'), submitted('a'))
    schedule.place(0)
    schedule.tell({ kind: 'worker-lost', atMs: 1, workerId: 'w' })
    schedule.tell(worker('newer', { version: '2.0.0' }))
    expect(placed(schedule, 1)).toEqual([])
    schedule.tell(worker('same'))
    expect(schedule.place(1).placements).toEqual([{ runId: 'a', workerId: 'same', attempt: 2 }])
  })

  it('shares the time of a single slot, however long the runs of one tenant are', () => {
    const schedule = given(worker('w'))
    for (let index = 0; index < 100; index += 1)
      for (const tenant of ['long', 'short']) schedule.tell(submitted(`${tenant}${index}`, { tenant }))
    const used = { long: 0, short: 0 }
    let nowMs = 0
    while (nowMs < 10_000) {
      const runId = schedule.place(nowMs).placements[0]?.runId ?? ''
      const tenant = runId.startsWith('long') ? 'long' : 'short'
      nowMs += tenant === 'long' ? 1_000 : 100
      used[tenant] += tenant === 'long' ? 1_000 : 100
      schedule.tell({ kind: 'run-finished', atMs: nowMs, runId })
    }
    expect(Math.abs(used.long - used.short)).toBeLessThanOrEqual(1_000)
  })

  it('puts priority first for ten minutes a point, and no longer', () => {
    const schedule = given(worker('w'), submitted('low', {}, 0))
    schedule.tell(submitted('high', { priority: 1 }, 599_999))
    schedule.tell(submitted('late', { priority: 1 }, 600_001))
    const order = ['high', 'low', 'late'].map((runId) => {
      const [next] = placed(schedule, 600_001)
      schedule.tell({ kind: 'run-finished', atMs: 600_001, runId })
      return next
    })
    expect(order).toEqual(['high on w', 'low on w', 'late on w'])
  })
})
