import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runStarted, stamp } from '../../testing/index.ts'
import { evolve, fold } from '../../state/index.ts'
import { laterFact } from '../../testing/generated/generated-events.test.ts'
import { maskFact } from '../parsing/mask-fact.ts'
import { problemOfFact } from '../parsing/parse.ts'
import { planEntryState, planReported, type PlanEntry } from './run-facts.ts'

const plan = fc.array(
  fc.record({
    text: fc.string({ unit: 'grapheme', maxLength: 400 }),
    state: fc.constantFrom(...planEntryState.options),
  }),
  { maxLength: 200 },
)
const entry = (text: string): PlanEntry => ({ text, state: 'completed' })

describe('given a plan of any length', () => {
  it('is recorded within bounds, and says how much of it is left out', () => {
    fc.assert(
      fc.property(plan, (entries) => {
        const reported = maskFact(planReported(entries), {})
        expect(problemOfFact(reported)).toBeUndefined()
        expect(reported.entries.length + (reported.leftOut ?? 0)).toBe(entries.length)
        for (const { text } of reported.entries) expect(text.length).toBeLessThanOrEqual(300)
      }),
      { numRuns: 30 },
    )
  })

  it('is masked before it is cut: no half of a secret is left', () => {
    const secret = 'correct horse battery staple'
    const reported = maskFact(planReported([entry('x'.repeat(290) + secret)]), { TOKEN: secret })
    expect(reported.entries[0]?.text).not.toContain('correct')
    expect(reported.entries[0]?.text).toHaveLength(300)
  })
})

describe('given any run', () => {
  it('is as it was but for the time, whatever an agent says that it has done', () => {
    const stream = fc.array(laterFact, { maxLength: 20 })
    fc.assert(
      fc.property(stream, plan, (facts, entries) => {
        const before = [runStarted({ verifiers: ['npm test'] }), ...facts]
        const events = stamp([...before, planReported(entries)], { stepMs: 0 })
        const reported = events.at(-1)
        const state = fold(events.slice(0, -1))
        if (reported === undefined || state === undefined) throw new TypeError('no state')
        expect(evolve(state, reported)).toEqual({
          ...state,
          sequence: reported.sequence,
          nowMs: reported.timeMs,
        })
      }),
      { numRuns: 60 },
    )
  })
})
