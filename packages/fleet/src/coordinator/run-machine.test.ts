/** What follows for a run of the fleet from what happens to it, in whatever order, and told how often. */
import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { runAfter, type RunEffect } from './run-machine.ts'
import type { FleetRequest, FleetRun, RunMessage } from './shapes.ts'

const request: FleetRequest = {
  ...{ runId: 'r', tenant: 'shop', task: 'do it', labels: [], priority: 0 },
  ...{ provider: 'some', settings: {} },
}
const submitted: RunMessage = { kind: 'submitted', request }
const placed = (attempt: number): RunMessage => ({ kind: 'placed', workerId: `w${attempt}`, attempt })
const question = { kind: 'question', id: 'q' } as const
const waits = (attempt: number): RunMessage => ({
  kind: 'left',
  attempt,
  end: { kind: 'waiting', for: question },
})
const stopped = { kind: 'stopped', reason: 'task_complete', outcome: 'verified', message: 'done' } as const
const broke = { kind: 'broke', message: 'the store is away' } as const
const left = (attempt: number, end: Extract<RunMessage, { kind: 'left' }>['end']): RunMessage => ({
  kind: 'left',
  attempt,
  end,
})

function after(...messages: readonly RunMessage[]) {
  let run: FleetRun | undefined
  let effects: readonly RunEffect[] = []
  for (const message of messages) ({ run, effects } = runAfter(run, message, 1_000))
  return {
    run,
    effects,
    facts: effects.flatMap((one) => (one.kind === 'tell-dispatcher' ? one.fact.kind : [])),
  }
}

describe('given a run of the fleet', () => {
  it('asks for a worker when it is submitted, once', () => {
    expect(after(submitted).facts).toEqual(['run-submitted'])
    expect(after(submitted, submitted).effects).toEqual([])
  })

  it('is performed by the worker that it is given', () => {
    const { effects } = after(submitted, placed(1))
    expect(effects).toMatchObject([
      { kind: 'perform', workerId: 'w1', order: { attempt: 1, replaces: false } },
    ])
  })

  it('replaces a worker that was lost, ends what it was at, and hears nothing more of it', () => {
    const lost = [submitted, placed(1), { kind: 'worker-lost', attempt: 1 }] as const
    expect(after(...lost).effects).toEqual([{ kind: 'kill-performance' }])
    expect(after(...lost, left(1, stopped)).effects).toEqual([])
    expect(after(...lost, placed(2)).effects).toMatchObject([{ order: { attempt: 2, replaces: true } }])
  })

  it('goes on replacing a lost worker until one has come so far', () => {
    const lost = [submitted, placed(1), { kind: 'worker-lost', attempt: 1 }, placed(2)] as const
    const orderAfter = (end: Parameters<typeof left>[1]) =>
      after(...lost, left(2, end), { kind: 'woken' }, placed(3)).effects
    expect(orderAfter(broke)).toMatchObject([{ order: { attempt: 3, replaces: true } }])
    const waiting = { kind: 'waiting', for: question } as const
    expect(orderAfter(waiting)).toMatchObject([{ order: { attempt: 3, replaces: false } }])
  })

  it('goes on after its end where somebody resumes it', () => {
    const resumed: RunMessage = {
      kind: 'submitted',
      request: { ...request, resume: { id: 'once', topUp: {} } },
    }
    expect(after(submitted, placed(1), left(1, stopped), submitted).effects).toEqual([])
    expect(after(submitted, placed(1), left(1, stopped), resumed).facts).toEqual(['run-submitted'])
  })
})

const attempt = fc.integer({ min: 1, max: 4 })
const message: fc.Arbitrary<RunMessage> = fc.oneof(
  fc.constant(submitted),
  attempt.map(placed),
  attempt.map(waits),
  attempt.map((one) => left(one, { kind: 'waiting', for: { kind: 'run', runId: 'child', untilMs: null } })),
  attempt.map((one) => left(one, stopped)),
  attempt.map((one) => left(one, broke)),
  attempt.map((one) => left(one, { kind: 'gave-back' })),
  attempt.map((one): RunMessage => ({ kind: 'worker-lost', attempt: one })),
  attempt.map((one): RunMessage => ({ kind: 'due', attempt: one })),
  fc.constantFrom<RunMessage>(
    { kind: 'woken' },
    { kind: 'interrupted', by: 'Mia' },
    { kind: 'watched', by: 'p' },
    { kind: 'run-over', runId: 'child' },
  ),
)

describe('given anything that is told of a run, in any order', () => {
  test.prop([fc.array(message, { maxLength: 30 })])(
    'then it is with one worker at most, and performed once for each',
    (messages) => {
      let run: FleetRun | undefined
      const performed: number[] = []
      let working = 0
      for (const one of messages) {
        const step = runAfter(run, one, 1_000)
        const wasWorking = run?.phase.kind === 'working'
        run = step.run
        for (const effect of step.effects) if (effect.kind === 'perform') performed.push(effect.order.attempt)
        working = run?.phase.kind === 'working' ? working + (wasWorking ? 0 : 1) : working
        if (run?.phase.kind === 'over') expect(run.watchers).toEqual([])
      }
      expect(performed).toEqual([...new Set(performed)].toSorted((left_, right) => left_ - right))
      expect(working).toBeLessThanOrEqual(performed.length)
    },
  )
})
