import { describe, expect, it } from 'vitest'
import { linesOf, linesOfRun, statusOfRun } from './status.ts'
import type { FleetRun } from '@donecheck/fleet/internal/coordinator'

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
})

const request = { runId: 'R', tenant: 't', task: 'do it', labels: ['gpu'], priority: 0, settings: {} }
const queued: FleetRun = {
  ...{ request, attempt: 0, phase: { kind: 'queued' }, isWoken: false, isOrphan: false },
  ...{ breaks: 0, problem: '', watchers: [] },
}
const textOf = (more: Partial<FleetRun>) => linesOfRun({ ...queued, ...more }).map(({ text }) => text)

describe('given a run of a fleet', () => {
  it('then it says why a run cannot begin, and when it tries again', () => {
    const retry = { kind: 'waiting', for: { kind: 'time', untilMs: 0, because: 'retry' } } as const
    const problem = 'https://example.org/shop.git has no branch or tag "nope"'
    expect(textOf({ attempt: 2, breaks: 2, phase: retry, problem })).toEqual([
      'R is waiting until 1970-01-01T00:00:00.000Z, to try again',
      `  its latest try broke: ${problem}`,
      '  "donecheck watch R" tells more where it had begun; otherwise there is no record of it',
    ])
    const over = { kind: 'over', reason: 'broke', outcome: null, message: problem } as const
    expect(textOf({ attempt: 6, phase: over, problem })).toEqual([
      ...['R is over: broke', `  ${problem}`],
      '  "donecheck explain R" tells more where it had begun; otherwise there is no record of it',
    ])
  })

  it('then a run of which the fleet knows nothing is said to be none', async () => {
    await expect(statusOfRun('X', { run: async () => undefined })).rejects.toThrow('was not given a run X')
  })
})
