/** Generators of ends of turns and runs, and of what asks for them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amounts, capTable } from '../../budgets/index.ts'
import type { StopCause, Transition, VerdictLine } from '../../events/transitions/index.ts'

export const verifierNames = ['lint', 'tests', 'judge'] as const
const text = fc.string({ maxLength: 40, unit: 'grapheme' })
const capName = fc.constantFrom(...amounts.map((name) => capTable[name].cap))
const verifier = fc.constantFrom(...verifierNames)
const status = fc.constantFrom('passed', 'failed', 'error', 'skipped', 'pending')

const findings = fc.array(text, { maxLength: 2 })
const verdicts: fc.Arbitrary<VerdictLine[]> = fc.array(fc.record({ verifier, status }), {
  maxLength: 2,
})

export const stopTransition = fc.record(
  {
    kind: fc.constant('stop' as const),
    reason: fc.constantFrom(
      'task_complete',
      'hard_cap',
      'awaiting_approval',
      'user_interrupt',
      'error',
      'model_ended',
    ),
    outcome: fc.constantFrom(
      'verified',
      'failed',
      'exhausted',
      'unverified',
      'blocked',
      'interrupted',
      'error',
    ),
    message: text,
    cap: capName,
    atCap: capName,
    detector: text,
    misuse: fc.constant(true as const),
    lastCheck: fc.constantFrom('run', 'switched-off', 'nothing-to-check'),
    summary: text,
    summaryBy: fc.constantFrom('drive', 'withheld-answer', 'program'),
    findings,
    verdicts,
  },
  { requiredKeys: ['kind', 'reason', 'outcome', 'message', 'findings', 'verdicts'] },
)

const continueTransition = fc.record({
  kind: fc.constant('continue' as const),
  reason: fc.constantFrom(
    'tool_calls',
    'verifier_feedback',
    'reply_feedback',
    'max_output_recovery',
    'approval_given',
    'steering',
  ),
  findings,
  verdicts,
})

export const transition: fc.Arbitrary<Transition> = fc.oneof(stopTransition, continueTransition)

export const stop: fc.Arbitrary<StopCause> = fc.oneof(
  fc.record({ reason: fc.constant('hard_cap' as const), cap: capName }),
  fc.record({ reason: fc.constant('loop_detected' as const), detector: text }),
  fc.record({ reason: fc.constantFrom('stagnated' as const, 'diminishing', 'permission_denied', 'blocked') }),
)

describe('given the generators of ends', () => {
  it('they make turns that go on and turns that end the run', () => {
    const made = fc.sample(transition, { numRuns: 100, seed: 1 }).map(({ kind }) => kind)
    expect(new Set(made)).toEqual(new Set(['stop', 'continue']))
  })
})
