import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JudgedReply } from '../../state/index.ts'
import { bestReply } from '../replies.ts'

const base = {
  turn: 1,
  text: 'a reply',
  status: 'failed',
  reason: 'half is missing',
  canRetry: true,
} as const

function reply(attempt: number, rest: Partial<JudgedReply> = {}): JudgedReply {
  return { ...base, attempt, ...rest }
}

function bestOf(...replies: readonly JudgedReply[]): number | undefined {
  return bestReply(replies)?.attempt
}

describe('given several replies of which none has passed', () => {
  it('the higher score is the better one, wherever it stands', () =>
    expect(bestOf(reply(1, { score: 0.4 }), reply(2, { score: 0.7 }), reply(3, { score: 0.1 }))).toBe(2))

  it('a score is better than none', () => expect(bestOf(reply(1, { score: 0 }), reply(2))).toBe(1))

  it('of equal scores the category that weighs less', () =>
    expect(
      bestOf(
        reply(1, { category: 'tone_mismatch', score: 0.5 }),
        reply(2, { category: 'refusal', score: 0.5 }),
      ),
    ).toBe(1))

  it('of equals the latest', () => expect(bestOf(reply(1), reply(2), reply(3))).toBe(3))

  it('one that nobody could judge before one that is known to fall short', () =>
    expect(bestOf(reply(1, { score: 0.9 }), reply(2, { status: 'error' }))).toBe(2))

  it('does not depend on the order in which they are given', () => {
    const some = fc.uniqueArray(
      fc.record({
        attempt: fc.integer({ min: 1, max: 9 }),
        score: fc.constantFrom(undefined, 0, 0.5, 1),
        category: fc.constantFrom(undefined, 'incomplete', 'refusal', 'other'),
      }),
      { selector: ({ attempt }) => attempt, minLength: 1 },
    )
    fc.assert(
      fc.property(some, (given) => {
        const replies = given.map(({ attempt, score, category }) =>
          reply(attempt, {
            ...(score === undefined ? {} : { score }),
            ...(category === undefined ? {} : { category }),
          }),
        )
        expect(bestReply(replies.toReversed())).toEqual(bestReply(replies))
      }),
    )
  })
})
