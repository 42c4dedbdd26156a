/** Generators of what becomes of a reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryStatus, replyEnding, replySkip } from '../../events/index.ts'

const text = fc.string({ maxLength: 40, unit: 'grapheme' })

export const replySettled = fc.record(
  {
    ending: fc.constantFrom(...replyEnding.options),
    skip: fc.constantFrom(...replySkip.options),
    attempt: fc.integer({ min: 1, max: 4 }),
    text,
    message: text,
    delivers: fc.boolean(),
  },
  { requiredKeys: ['ending', 'attempt', 'text', 'message', 'delivers'] },
)

export const replyDelivered = fc.record(
  { status: fc.constantFrom(...deliveryStatus.options), problem: text },
  { requiredKeys: ['status'] },
)

describe('given the generators of replies', () => {
  it('they make every ending', () => {
    const made = fc.sample(replySettled, { numRuns: 200, seed: 1 }).map(({ ending }) => ending)
    expect(new Set(made)).toEqual(new Set(replyEnding.options))
  })
})
