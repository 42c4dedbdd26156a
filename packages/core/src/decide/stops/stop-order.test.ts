import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StopReason } from '../../events/transitions/index.ts'
import {
  exitCodeOf,
  firstStop,
  outcomeOf,
  resumableOutcomes,
  turnStaysOpen,
  type StopCandidate,
} from './index.ts'

/** One candidate of every rank, in the order of the design (section 4.3). */
const ranked: readonly StopCandidate[] = [
  { reason: 'user_interrupt', message: '' },
  { reason: 'error', message: '' },
  { reason: 'verifier_failed_unrecoverable', message: '', tampered: true },
  { reason: 'task_complete', message: '' },
  { reason: 'verifier_failed_unrecoverable', message: '' },
  { reason: 'permission_denied', message: '' },
  { reason: 'blocked', message: '' },
  { reason: 'awaiting_approval', message: '' },
  { reason: 'hard_cap', message: '', cap: 'iterations' },
  { reason: 'loop_detected', message: '', detector: 'ping-pong' },
  { reason: 'stagnated', message: '' },
  { reason: 'diminishing', message: '' },
  { reason: 'hard_cap', message: '', cap: 'wall_clock' },
  { reason: 'model_ended', message: '' },
]

const outcomes: Readonly<Record<StopReason, readonly [string, number]>> = {
  task_complete: ['verified', 0],
  verifier_failed_unrecoverable: ['failed', 1],
  hard_cap: ['exhausted', 3],
  diminishing: ['exhausted', 3],
  loop_detected: ['exhausted', 3],
  stagnated: ['exhausted', 3],
  model_ended: ['unverified', 4],
  blocked: ['blocked', 5],
  awaiting_approval: ['blocked', 5],
  permission_denied: ['blocked', 5],
  user_interrupt: ['interrupted', 130],
  error: ['error', 70],
}

describe('given several ends at once', () => {
  it('lets the one win that stands first in the design, in whatever order they come', () => {
    const some = fc.subarray(
      ranked.map((_, index) => index),
      { minLength: 1 },
    )
    const shuffled = some.chain((chosen) =>
      fc.tuple(fc.constant(Math.min(...chosen)), fc.shuffledSubarray(chosen, { minLength: chosen.length })),
    )
    fc.assert(
      fc.property(shuffled, ([first, order]) => {
        expect(firstStop(order.flatMap((index) => ranked[index] ?? []))).toBe(ranked[first])
      }),
    )
  })

  it.each(['model_calls', 'tool_calls', 'tokens', 'cost'] as const)(
    'ranks the cap of %s with the counts',
    (cap) => {
      const count: StopCandidate = { reason: 'hard_cap', message: '', cap }
      expect(firstStop([{ reason: 'loop_detected', message: '' }, count])).toBe(count)
    },
  )

  it('takes the first of two that are equal', () => {
    const [one, other] = [
      { reason: 'blocked', message: 'one' },
      { reason: 'blocked', message: 'other' },
    ] as const
    expect(firstStop([one, other])).toBe(one)
  })
})

describe('given an end', () => {
  it.each(Object.entries(outcomes))(
    '%s has one outcome and one exit code: %j',
    (reason, [outcome, exitCode]) => {
      const named = outcomeOf[reason as StopReason]
      expect(named).toBe(outcome)
      expect(exitCodeOf[named]).toBe(exitCode)
    },
  )

  it('keeps exit code 2 for wrong usage, and 0 for what was verified', () => {
    expect(Object.values(exitCodeOf)).not.toContain(2)
    expect(Object.entries(exitCodeOf).filter(([, code]) => code === 0)).toEqual([['verified', 0]])
  })

  it('may be resumed where nothing is decided for good', () => {
    expect(resumableOutcomes).toEqual(['interrupted', 'blocked', 'error'])
    for (const reason of turnStaysOpen) expect(resumableOutcomes).toContain(outcomeOf[reason])
  })
})
