/** What holds of the fold for every stream, the ones that no recorder would write among them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runStarted, stamp } from '../testing/index.ts'
import { totalTokens } from './spending.ts'
import { evolve, fold } from './evolve.ts'
import type { Fact, RunEvent } from '../events/index.ts'
import { laterFact } from '../testing/generated/generated-events.test.ts'
import { verifierNames } from '../testing/generated/generated-parts.test.ts'
import type { RunState } from './state.ts'

const begin = runStarted({ verifiers: verifierNames })
const stream = fc
  .array(laterFact, { maxLength: 30 })
  .map((facts): readonly RunEvent[] => stamp([begin, ...facts], { stepMs: 25 }))

/** All states, from the first event on. */
function statesOf(events: readonly RunEvent[]): readonly RunState[] {
  const states: RunState[] = []
  for (const event of events) states.push(evolve(states.at(-1), event))
  return states
}

/** What a snapshot in a file gives back. Fields that are undefined are absent there. */
function saved(state: RunState): RunState {
  return JSON.parse(JSON.stringify(state)) as RunState
}

describe('given any stream', () => {
  it('changes neither the event nor the state before it', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const eventsBefore = JSON.stringify(events)
        const states = statesOf(events)
        const first = JSON.stringify(states[0])
        statesOf(events)
        expect(JSON.stringify(states[0])).toBe(first)
        expect(JSON.stringify(events)).toBe(eventsBefore)
      }),
    )
  })

  it('comes to the same states from a snapshot that was saved at any step (I2)', () => {
    fc.assert(
      fc.property(stream, fc.nat(), (events, choice) => {
        const states = statesOf(events)
        const at = choice % events.length
        let restored = states[at]
        if (restored === undefined) throw new Error('a stream has a first event')
        restored = saved(restored)
        for (const [index, event] of events.entries()) {
          if (index <= at) continue
          restored = evolve(restored, event)
          expect(saved(restored)).toEqual(saved(states[index] ?? restored))
        }
      }),
    )
  })

  it('gives nothing back but calls that the provider refused (I9)', () => {
    fc.assert(
      fc.property(stream, (events) => {
        statesOf(events).reduce((before, after) => {
          const [one, other] = [before.consumption, after.consumption]
          for (const name of [
            'toolCalls',
            'activeMs',
            'workingMs',
            'callsWithoutUsage',
            'cachedInputTokens',
            'reasoningTokens',
          ] as const)
            expect(other[name]).toBeGreaterThanOrEqual(one[name])
          const refused = after.phase.kind === 'retrying' || after.phase.kind === 'drive-failed' ? 1 : 0
          for (const name of ['iterations', 'modelCalls'] as const)
            expect(other[name] + refused).toBeGreaterThanOrEqual(one[name])
          expect(totalTokens(other)).toBeGreaterThanOrEqual(totalTokens(one))
          if (one.costUsd === null) expect(other.costUsd).toBeNull()
          else if (other.costUsd !== null) expect(other.costUsd).toBeGreaterThanOrEqual(one.costUsd)
          return after
        })
      }),
    )
  })
})

describe('given a stream that goes on for ever', () => {
  it('keeps the state bounded: a long run costs no more than its few facts', () => {
    const repeats = 200
    fc.assert(
      fc.property(fc.array(laterFact, { minLength: 1, maxLength: 6 }), (facts) => {
        const many = Array.from({ length: repeats }, (): readonly Fact[] => facts)
        const once = JSON.stringify(stamp([begin, ...facts])).length
        const { activity, ...state } = fold(stamp([begin, ...many])) ?? { activity: undefined }
        expect(JSON.stringify(state).length).toBeLessThan(2 * once + 2000)
        expect(JSON.stringify(activity).length).toBeLessThan(64 * 1024)
      }),
      { numRuns: 60 },
    )
  })
})
