import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import { verdictOf } from '../../testing/index.ts'
import {
  allRequired,
  deterministicVeto,
  isDecided,
  quorum,
  weightedScore,
  type Vote,
  type Aggregator,
} from './aggregate.ts'

const statuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const

function ballot(name: string, status: VerdictStatus, required = true): Vote {
  return { verdict: verdictOf(status, name), required, weight: 1, deterministic: true }
}

describe('given a veto', () => {
  it.each([deterministicVeto, allRequired])('one failure decides, whatever is still out', (aggregator) => {
    expect(isDecided(aggregator, [ballot('a', 'failed')])).toBe(true)
    expect(isDecided(aggregator, [ballot('a', 'passed')])).toBe(false)
  })

  it('a failure without a vote decides nothing', () => {
    expect(isDecided(deterministicVeto, [ballot('a', 'failed', false)])).toBe(false)
  })
})

const aggregator = fc.constantFrom<Aggregator>(
  deterministicVeto,
  allRequired,
  quorum({ atLeast: 2 }),
  weightedScore({ threshold: 0.6 }),
)
const ballots = fc
  .array(fc.record({ status: fc.constantFrom(...statuses), required: fc.boolean() }), { maxLength: 6 })
  .map((list) => list.map(({ status, required }, index) => ballot(`n${index}`, status, required)))

test.prop([aggregator, ballots, fc.nat(6)], { numRuns: 1_000 })(
  'what is called decided never comes to a pass',
  (rule, every, split) => {
    const known = every.slice(0, split)
    if (isDecided(rule, known)) expect(['failed', 'error']).toContain(rule(every).status)
  },
)
