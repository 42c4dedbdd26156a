/** What holds of every policy, whatever the ballots. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import { verdictOf } from '../../testing/index.ts'
import { allRequired, deterministicVeto, quorum, weightedScore, type Ballot, type Policy } from './policy.ts'

const status = fc.constantFrom<VerdictStatus[]>('passed', 'failed', 'error', 'skipped', 'pending')
const names = ['a', 'b', 'c', 'd', 'e']

function ballotOf(verifier: string, given: VerdictStatus, different: Partial<Ballot> = {}): Ballot {
  return { verdict: verdictOf(given, verifier), required: true, weight: 1, deterministic: true, ...different }
}

const ballots: fc.Arbitrary<readonly Ballot[]> = fc
  .array(
    fc.record({ status, required: fc.boolean(), deterministic: fc.boolean(), weight: fc.nat({ max: 4 }) }),
    {
      maxLength: names.length,
    },
  )
  .map((rows) => rows.map((row, index) => ballotOf(names[index] ?? '', row.status, row)))

const plain: fc.Arbitrary<Policy> = fc.oneof(
  fc.constantFrom(deterministicVeto, allRequired),
  fc.double({ min: 0.1, max: 1, noNaN: true }).map((threshold) => weightedScore({ threshold })),
  fc.integer({ min: 1, max: 4 }).map((atLeast) => quorum({ atLeast })),
)

describe('given any policy', () => {
  it('does not look at the order of the ballots', () => {
    const shuffled = ballots.chain((row) =>
      fc.tuple(fc.constant(row), fc.shuffledSubarray([...row], { minLength: row.length })),
    )
    fc.assert(
      fc.property(plain, shuffled, (policy, [row, other]) => {
        expect(policy(other).status).toBe(policy(row).status)
        expect(policy(other).because.toSorted()).toEqual(policy(row).because.toSorted())
      }),
    )
  })

  it('never passes where nothing passed (I7)', () => {
    const none = ballots.map((row) => row.filter(({ verdict }) => verdict.status !== 'passed'))
    fc.assert(
      fc.property(plain, none, (policy, row) => {
        expect(policy(row).status).not.toBe('passed')
      }),
    )
  })

  it('names only verifiers that were asked', () => {
    fc.assert(
      fc.property(plain, ballots, (policy, row) => {
        const asked = row.map(({ verdict }) => verdict.verifier)
        for (const name of policy(row).because) expect(asked).toContain(name)
      }),
    )
  })
})

describe('given verdicts that could not be decided', () => {
  const later = fc.array(fc.constantFrom<VerdictStatus[]>('passed', 'failed'), { minLength: 5, maxLength: 5 })

  it('says passed or failed only where they cannot change it any more', () => {
    fc.assert(
      fc.property(plain, ballots, later, (policy, row, words) => {
        const { status: before } = policy(row)
        fc.pre(before === 'passed' || before === 'failed')
        const decided = row.map((ballot, index) => {
          const { status: open, verifier } = ballot.verdict
          const isOpen = open === 'error' || open === 'pending'
          return isOpen ? { ...ballot, verdict: verdictOf(words[index] ?? 'failed', verifier) } : ballot
        })
        expect(policy(decided).status).toBe(before)
      }),
      { numRuns: 500 },
    )
  })

  it('blocks under the veto, whatever the judges say', () => {
    fc.assert(
      fc.property(ballots, fc.constantFrom<VerdictStatus[]>('failed', 'error'), (row, blocking) => {
        const judges = row.map((ballot) => ({ ...ballot, deterministic: false }))
        const verdict = deterministicVeto([...judges, ballotOf('tests', blocking)])
        expect(verdict).toEqual({ status: blocking, because: ['tests'] })
      }),
    )
  })
})
