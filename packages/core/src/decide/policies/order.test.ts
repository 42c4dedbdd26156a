import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { inOrderOfYield, yieldPerSecond, isDecided } from './order.ts'
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import { verdictOf } from '../../testing/index.ts'
import { allRequired, deterministicVeto, quorum, weightedScore, type Ballot, type Policy } from './policy.ts'

const check = (name: string, deterministic = true) => ({ name, deterministic })

describe('given what earlier runs have taught', () => {
  const history = new Map([
    ['slow and steady', { runs: 10, failures: 0, totalMs: 600_000 }],
    ['slow and telling', { runs: 10, failures: 8, totalMs: 600_000 }],
    ['quick and telling', { runs: 10, failures: 8, totalMs: 10_000 }],
  ])

  it('what fails most for its time goes first', () => {
    const names = ['slow and steady', 'slow and telling', 'quick and telling'].map((name) => check(name))
    expect(inOrderOfYield(names, history).map(({ name }) => name)).toEqual([
      'quick and telling',
      'slow and telling',
      'slow and steady',
    ])
  })

  it('a judge waits for every deterministic check', () => {
    const checks = [check('quick and telling', false), check('slow and steady')]
    expect(inOrderOfYield(checks, history)[0]?.name).toBe('slow and steady')
  })
})

describe('given nothing', () => {
  it('the order stays as it was given', () => {
    const checks = ['c', 'a', 'b'].map((name) => check(name))
    expect(inOrderOfYield(checks, new Map())).toEqual(checks)
  })
})

test.prop([fc.nat(1000), fc.nat(1000), fc.nat(1e9)])(
  'a yield is a positive number',
  (passes, failures, ms) => {
    const found = yieldPerSecond({ runs: passes + failures, failures, totalMs: ms })
    expect(found).toBeGreaterThan(0)
    expect(Number.isFinite(found)).toBe(true)
  },
)

const statuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const

function ballot(name: string, status: VerdictStatus, required = true): Ballot {
  return { verdict: verdictOf(status, name), required, weight: 1, deterministic: true }
}

describe('given a veto', () => {
  it.each([deterministicVeto, allRequired])('one failure decides, whatever is still out', (policy) => {
    expect(isDecided(policy, [ballot('a', 'failed')])).toBe(true)
    expect(isDecided(policy, [ballot('a', 'passed')])).toBe(false)
  })

  it('a failure without a vote decides nothing', () => {
    expect(isDecided(deterministicVeto, [ballot('a', 'failed', false)])).toBe(false)
  })
})

const policy = fc.constantFrom<Policy>(
  deterministicVeto,
  allRequired,
  quorum({ atLeast: 2 }),
  weightedScore({ threshold: 0.6 }),
)
const ballots = fc
  .array(fc.record({ status: fc.constantFrom(...statuses), required: fc.boolean() }), { maxLength: 6 })
  .map((list) => list.map(({ status, required }, index) => ballot(`n${index}`, status, required)))

test.prop([policy, ballots, fc.nat(6)], { numRuns: 1_000 })(
  'what is called decided never comes to a pass',
  (rule, every, split) => {
    const known = every.slice(0, split)
    if (isDecided(rule, known)) expect(['failed', 'error']).toContain(rule(every).status)
  },
)
