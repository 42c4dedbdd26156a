/** Whatever happens in a run, its signals are a tree. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runStarted, stamp } from '@donecheck/core/testing'
import { modelCalled, runResumed, toolCalled, toolReturned } from '@donecheck/core/testing/facts'
import { laterFact } from '../../../../core/src/testing/generated/generated-events.test.ts'
import { spansOf } from './fixtures/span-tree.ts'
import { RunSignals } from './run-signals.ts'
import type { Signal } from './signals.ts'
import type { RunEvent } from '@donecheck/core/events'

function signalsOf(events: readonly RunEvent[]): readonly Signal[] {
  const run = new RunSignals()
  return [...events.flatMap((event) => run.of(event)), ...run.close()]
}

describe('given any stream of events', () => {
  const streams = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: laterFact },
      fc.constantFrom(modelCalled(1), modelCalled(2), runResumed(), toolCalled('a'), toolReturned('a')),
    ),
    { maxLength: 40 },
  )

  it('every span ends, has its parent, and lies within it', () => {
    fc.assert(
      fc.property(streams, (facts) => {
        const spans = spansOf(signalsOf(stamp([runStarted(), ...facts], { stepMs: 25 })))
        expect(spans.length).toBeGreaterThan(0)
        for (const { timeMs, end, within } of spans) {
          expect(end.timeMs).toBeGreaterThanOrEqual(timeMs)
          if (within === undefined) continue
          expect(timeMs).toBeGreaterThanOrEqual(within.timeMs)
          expect(end.timeMs).toBeLessThanOrEqual(within.end.timeMs)
        }
      }),
    )
  })

  it('no text of theirs is told unless it is asked for', () => {
    fc.assert(
      fc.property(streams, (facts) => {
        const marked = facts.map((fact) =>
          fact.type === 'model-replied' || fact.type === 'goal-set'
            ? { ...fact, text: 'HIDDEN', task: 'HIDDEN' }
            : fact,
        )
        expect(JSON.stringify(signalsOf(stamp([runStarted(), ...marked])))).not.toContain('HIDDEN')
      }),
    )
  })

  it('broken off anywhere, what goes on is a tree as well', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (facts, place) => {
        const events = stamp([runStarted(), ...facts, runResumed(), ...facts])
        const cut = place % events.length
        const after = new RunSignals()
        after.recall(events.slice(0, cut))
        const signals = events.slice(cut).flatMap((event) => after.of(event))
        expect(() => spansOf([...signals, ...after.close()])).not.toThrow()
      }),
    )
  })
})
