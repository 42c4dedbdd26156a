import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { VerdictStatus } from '../../../events/verdicts/index.ts'
import { verdictOf } from '../../../testing/index.ts'
import {
  all,
  allRequired,
  any,
  deterministicVeto,
  not,
  quorum,
  shadow,
  weightedScore,
  type Ballot,
  type Policy,
} from '../policy.ts'
import { isDecided } from '../order.ts'

const statuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const

function ballot(name: string, status: VerdictStatus, required = true): Ballot {
  return { verdict: verdictOf(status, name), required, weight: 1, deterministic: true }
}

describe('given a veto', () => {
  it.each([deterministicVeto, allRequired])('one failure decides, whatever is still out', (policy) => {
    const out = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => ballot(name, 'passed'))
    expect(isDecided(policy, [ballot('a', 'failed')], out)).toBe(true)
    expect(isDecided(policy, [ballot('a', 'passed')], out)).toBe(false)
  })

  it('a failure without a vote decides nothing', () => {
    expect(isDecided(deterministicVeto, [ballot('a', 'failed', false)], [ballot('b', 'passed')])).toBe(false)
  })
})

describe('given a policy that can be outvoted', () => {
  it('a failure decides once the number cannot be reached any more', () => {
    const two = quorum({ atLeast: 2 })
    const out = [ballot('c', 'passed'), ballot('d', 'passed')]
    expect(isDecided(two, [ballot('a', 'failed')], out)).toBe(false)
    expect(isDecided(quorum({ atLeast: 3 }), [ballot('a', 'failed')], out)).toBe(true)
  })

  it('a mixed outcome that would pass is not overlooked', () => {
    const exactlyB = all(not(shadow(['b'], allRequired)), shadow(['a'], allRequired))
    expect(isDecided(exactlyB, [], [ballot('a', 'passed'), ballot('b', 'passed')])).toBe(false)
  })
})

const policy = fc.constantFrom<Policy>(
  deterministicVeto,
  allRequired,
  quorum({ atLeast: 2 }),
  weightedScore({ threshold: 0.6 }),
  not(allRequired),
  any(quorum({ atLeast: 3 }), shadow(['n0'], allRequired)),
)
const ballots = fc
  .array(fc.record({ status: fc.constantFrom(...statuses), required: fc.boolean() }), { maxLength: 6 })
  .map((list) => list.map(({ status, required }, index) => ballot(`n${index}`, status, required)))

test.prop([policy, ballots, fc.nat(6)], { numRuns: 1_000 })(
  'what is called decided never comes to a pass',
  (rule, every, split) => {
    const known = every.slice(0, split)
    const out = every.slice(split)
    if (isDecided(rule, known, out)) expect(['failed', 'error']).toContain(rule(every).status)
  },
)
