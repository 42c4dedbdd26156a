import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { parseEvent } from '../events/index.ts'
import { goalSet, modelCalled, modelClaimed, modelReplied, runStarted } from './facts.ts'
import { given, stamp } from './given.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  erroredVerdict,
  failedVerdict,
  passedVerdict,
  pending,
  skippedVerdict,
  verdictOf,
} from './phrases.ts'

describe('given facts without headers', () => {
  it('stamps them as a recorder would: no gaps, own ids, time that goes on', () => {
    const events = stamp([runStarted(), goalSet(), modelCalled()], { startMs: 100, stepMs: 7, runId: 'r' })
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect(events.map(({ timeMs }) => timeMs)).toEqual([100, 107, 114])
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
    for (const event of events) expect(event).toMatchObject({ runId: 'r', schemaVersion: 1 })
  })

  it('goes on counting in `and`', () => {
    const first = given(runStarted(), goalSet())
    const second = first.and(modelCalled(), [modelClaimed()])
    expect(second.events).toEqual(given(runStarted(), goalSet(), modelCalled(), modelClaimed()).events)
    expect(first.events).toHaveLength(2)
  })

  it('builds only facts that could be read back from a store', () => {
    const verifiers = ['a', 'b', 'c', 'd', 'e']
    const { events } = given(
      begun(
        { verifiers },
        passedVerdict('a'),
        failedVerdict('b'),
        erroredVerdict('c'),
        skippedVerdict('d'),
        pending('e'),
      ),
      edited(1, 'tree-1'),
      claimed(2),
    )
    expect(events.map((event) => parseEvent(event))).toEqual(
      events.map((event) => ({ kind: 'event', event })),
    )
  })

  it('refuses a stream that does not begin as a run does', () => {
    expect(() => given()).toThrow('run-started')
    expect(() => given(goalSet())).toThrow('run-started')
  })
})

describe('given a run that can be decided', () => {
  const red = given(
    begun({ verifiers: ['npm test'] }, failedVerdict('npm test')),
    claimed(1),
    checked('claim', failedVerdict('npm test')),
  )

  it('compares the decision with what is expected of it, in part', () => {
    red.whenDecided().then({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
    expect(() => red.whenDecided().then({ kind: 'stop' })).toThrow(AssertionError)
    expect(() => red.whenDecided().then({ kind: 'continue', transition: { reason: 'tool_calls' } })).toThrow(
      'differs at transition.reason',
    )
  })

  it('tells the findings that come first, each once', () => {
    const capped = given(begun({ caps: { maxIterations: 1 } }), modelCalled(1), modelReplied())
    capped.whenDecided().then({ kind: 'note' })
    const reported = capped.afterNotes()
    reported.whenDecided().then({ kind: 'stop', transition: { reason: 'hard_cap' } })
    expect(reported.events.filter(({ type }) => type === 'finding-noted')).toHaveLength(1)
  })
})

describe('given verdicts in one word', () => {
  it.each(['passed', 'failed', 'error', 'skipped', 'pending'] as const)('%s is that status', (status) => {
    expect(verdictOf(status, 'npm test')).toMatchObject({ verifier: 'npm test', status, canRetry: true })
  })
})
