import { describe, expect, it } from 'vitest'
import type { FleetRun } from '@donecheck/fleet/coordinator'
import { linesOfRun, statusOfRun } from './run-status.ts'

const request = { runId: 'R', tenant: 't', task: 'do it', labels: ['gpu'], priority: 0, settings: {} }
const queued: FleetRun = {
  ...{ request, attempt: 0, phase: { kind: 'queued' }, isWoken: false, isOrphan: false },
  ...{ breaks: 0, problem: '', watchers: [] },
}
const textOf = (more: Partial<FleetRun>) => linesOfRun({ ...queued, ...more }).map(({ text }) => text)

describe('given a run of a fleet', () => {
  it('then it says what a run needs that has not begun', () => {
    expect(textOf({})).toEqual([
      'R is queued: it waits for a worker',
      '  "donecheck fleet status" says what it lacks; it needs gpu',
    ])
  })

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

  it('then it says where one is that has begun, and what it waits for', () => {
    expect(textOf({ attempt: 1, phase: { kind: 'working', workerId: 'w1' } })[0]).toBe('R is at work on w1')
    const asks = { kind: 'waiting', for: { kind: 'question', id: 'q1' } } as const
    expect(textOf({ attempt: 1, phase: asks })[0]).toContain('for the answer to q1; "donecheck approvals"')
    const child = { kind: 'waiting', for: { kind: 'run', runId: 'C', untilMs: null } } as const
    expect(textOf({ attempt: 1, phase: child })[0]).toBe('R is waiting for run C')
  })

  it('then a run of which the fleet knows nothing is said to be none', async () => {
    await expect(statusOfRun('X', { run: async () => undefined })).rejects.toThrow('was not given a run X')
  })
})
