import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JudgedReply } from '../state/index.ts'
import { bestReply, defaultKeywords, defaultNegations, isTriggered } from './replies.ts'

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

const english = { keywords: defaultKeywords, negations: defaultNegations }

describe('given a reply that claims to be the end of the work', () => {
  it.each([
    'Done.',
    'Task completed!',
    'All files are ready',
    'HERE YOU GO: the report',
    'Fixed the bug.',
    'I have implemented it.',
    'It is not pretty, but it is done.',
    'Why was it slow? I do not know. It is finished now.',
  ])('is triggered: %s', (text) => expect(isTriggered(text, english)).toBe(true))
})

describe('given a reply that claims nothing', () => {
  it.each([
    'not done yet',
    'It is not done yet.',
    'Are you ready?',
    'Is it done? I will look.',
    "It isn't finished.",
    'That won’t be ready today.',
    'Nothing is completed so far.',
    'The report has yet to be finished.',
    'The task is undone.',
    'I abandoned it.',
    'Hello there.',
    '',
    '   ',
  ])('is not triggered: %j', (text) => expect(isTriggered(text, english)).toBe(false))

  it('of two claims one is enough', () =>
    expect(isTriggered('Part two is not done. Part one is done.', english)).toBe(true))
})

describe('given words of other languages', () => {
  const trigger = { keywords: ['fertig', 'terminé', '完成'], negations: ['nicht', 'pas', '没有'] }
  it.each([
    ['Der Bericht ist fertig.', true],
    ['Er ist noch nicht fertig.', false],
    ['Wir fertigen Möbel.', false],
    ['C’est terminé !', true],
    ['indéterminé', false],
    ['报告已完成。', true],
    ['还没有完成。', false],
    ['完成了吗？', false],
    ['It is done.', false],
  ])('%s: %s', (text, expected) => expect(isTriggered(text, trigger)).toBe(expected))
})

describe('given any keyword', () => {
  it('is taken as it stands, whatever marks it holds', () => {
    const trigger = { keywords: ['a.b*c+[1]'], negations: [] }
    expect(isTriggered('see a.b*c+[1] now', trigger)).toBe(true)
    expect(isTriggered('see aXbbbc1', trigger)).toBe(false)
  })

  it('never throws, and an empty one triggers nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, keywords) => {
        isTriggered(text, { keywords, negations: keywords })
        expect(isTriggered(text, { keywords: ['', ' '], negations: [] })).toBe(false)
      }),
    )
  })
})
