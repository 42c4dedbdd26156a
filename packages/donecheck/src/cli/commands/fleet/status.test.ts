import { describe, expect, it } from 'vitest'
import { linesOf } from './status.ts'

const worker = { workerId: 'w1', version: '2', labels: ['linux'], slots: 2, draining: true, seenMs: 9_000 }
const empty = { usedMs: {}, virtualMs: 0, providers: {}, limits: {} }

function run(runId: string, stage: Parameters<typeof linesOf>[0]['runs'][number]['stage'], more = {}) {
  return {
    request: { runId, tenant: 't', priority: 0, labels: [], ...more },
    submittedMs: 0,
    attempt: 1,
    stage,
  }
}

describe('given the state of a fleet', () => {
  it('then it says who is at work, and why a run stays queued', () => {
    const runs = [
      run('A', { kind: 'placed', workerId: 'w1', sinceMs: 4_000 }),
      run('B', { kind: 'queued' }, { labels: ['gpu'] }),
      run('C', { kind: 'queued' }, { version: '1' }),
      run('D', { kind: 'waiting' }),
    ]
    const lines = linesOf({ ...empty, workers: [worker], runs }, 10_000).map(({ text }) => text)
    expect(lines).toEqual([
      '1 worker, 1 of 2 slots at work, 2 queued, 1 waiting',
      ...['', 'w1  1/2  draining', '  version 2, labels linux, seen 1 s ago', '  A  for 6 s'],
      ...['', 'queued: for a worker', '  B  t, submitted 10 s ago; no worker has gpu'],
      '  C  t, submitted 10 s ago; no worker has version 1, with which it began',
      ...['', 'waiting: for an answer, a time or another run', '  D  t, submitted 10 s ago'],
    ])
  })

  it('then without a worker it says what to type', () => {
    const lines = linesOf({ ...empty, workers: [], runs: [] }, 0)
    expect(lines.at(-1)?.text).toContain('donecheck worker')
  })
})
