/**
 * Truth tables, total over the five statuses, written down from the design (section 4.2). A letter is a status:
 * P passed, F failed, E error, W pending (waits), S skipped. Rows are the verdict of `a`, columns that of `b`.
 */
import { describe, expect, it } from 'vitest'
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import {
  begun,
  checked,
  edited,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  verdictOf,
} from '../../testing/index.ts'
import {
  allRequired,
  collectVotes,
  deterministicVeto,
  quorum,
  weightedScore,
  type Vote,
  type Aggregator,
} from './aggregate.ts'
import fc from 'fast-check'

const statusOf = { P: 'passed', F: 'failed', E: 'error', W: 'pending', S: 'skipped' } as const
type Letter = keyof typeof statusOf
const letters: readonly Letter[] = ['P', 'F', 'E', 'W', 'S']

function ballot(verifier: string, status: VerdictStatus, different: Partial<Vote> = {}): Vote {
  return {
    verdict: verdictOf(status, verifier),
    required: true,
    weight: 1,
    deterministic: true,
    ...different,
  }
}

interface Table {
  readonly name: string
  readonly aggregator: Aggregator
  /** Status of `a` → result for each status of `b`, in the order of the letters. */
  readonly pairs: Readonly<Record<Letter, string>>
  /** Result for `a` alone, in the order of the letters. */
  readonly alone: string
  /** What is different in the ballot of `b`. */
  readonly b?: Partial<Vote>
}

const strict = { P: 'PFEWP', F: 'FFFFF', E: 'EFEEE', W: 'WFEWW', S: 'PFEWS' }
const oneIsEnough = { P: 'PPPPP', F: 'PFEWF', E: 'PEEEE', W: 'PWEWW', S: 'PFEWS' }

const tables: readonly Table[] = [
  { name: 'deterministicVeto', aggregator: deterministicVeto, pairs: strict, alone: 'PFEWS' },
  {
    name: 'deterministicVeto with a judge as b',
    aggregator: deterministicVeto,
    pairs: { P: 'PFEWP', F: 'FFFFF', E: 'EEEEE', W: 'WFEWW', S: 'PFEWS' },
    alone: 'PFEWS',
    b: { deterministic: false },
  },
  {
    name: 'deterministicVeto with b not required',
    aggregator: deterministicVeto,
    pairs: { P: 'PPPPP', F: 'FFFFF', E: 'EEEEE', W: 'WWWWW', S: 'SSSSS' },
    alone: 'PFEWS',
    b: { required: false },
  },
  { name: 'allRequired', aggregator: allRequired, pairs: strict, alone: 'PFEWS' },
  {
    name: 'allRequired with b not required',
    aggregator: allRequired,
    pairs: { P: 'PPPPP', F: 'FFFFF', E: 'EEEEE', W: 'WWWWW', S: 'SSSSS' },
    alone: 'PFEWS',
    b: { required: false },
  },
  {
    name: 'weightedScore of a half',
    aggregator: weightedScore({ threshold: 0.5 }),
    pairs: oneIsEnough,
    alone: 'PFEWS',
  },
  {
    name: 'weightedScore of the whole',
    aggregator: weightedScore({ threshold: 1 }),
    pairs: { P: 'PFEWP', F: 'FFFFF', E: 'EFEEE', W: 'WFEWW', S: 'PFEWS' },
    alone: 'PFEWS',
  },
  {
    name: 'weightedScore of a half, where b weighs three times a',
    aggregator: weightedScore({ threshold: 0.5, weights: { b: 3 } }),
    pairs: { P: 'PFEWP', F: 'PFEWF', E: 'PFEEE', W: 'PFEWW', S: 'PFEWS' },
    alone: 'PFEWS',
  },
  { name: 'quorum of one', aggregator: quorum({ atLeast: 1 }), pairs: oneIsEnough, alone: 'PFEWS' },
  {
    name: 'quorum of two',
    aggregator: quorum({ atLeast: 2 }),
    pairs: { P: 'PFEWF', F: 'FFFFF', E: 'EFEEF', W: 'WFEWF', S: 'FFFFS' },
    alone: 'FFFFS',
  },
]

describe.each(tables)('$name', ({ aggregator, pairs, alone, b }) => {
  const cells = letters.flatMap((first) =>
    letters.map((second, column) => [first, second, pairs[first].charAt(column)] as const),
  )

  it.each(cells)('of %s and %s is %s', (first, second, expected) => {
    const ballots = [ballot('a', statusOf[first]), ballot('b', statusOf[second], b)]
    expect(aggregator(ballots).status).toBe(statusOf[expected as Letter])
  })

  it.each(letters.map((letter, column) => [letter, alone.charAt(column)] as const))(
    'of %s alone is %s',
    (letter, expected) => {
      expect(aggregator([ballot('a', statusOf[letter])]).status).toBe(statusOf[expected as Letter])
    },
  )

  it('of nothing is skipped: an empty set of verifiers proves nothing', () => {
    expect(aggregator([])).toEqual({ status: 'skipped', because: [] })
  })
})

describe('given who made it so', () => {
  it('names every verifier with the status that decided', () => {
    const ballots = [
      ballot('a', 'passed'),
      ballot('b', 'failed'),
      ballot('c', 'failed'),
      ballot('d', 'error'),
    ]
    expect(deterministicVeto(ballots).because).toEqual(['b', 'c'])
    expect(allRequired(ballots).because).toEqual(['b', 'c'])
  })

  it('names the vetoing check, not the judge', () => {
    const ballots = [ballot('judge', 'failed', { deterministic: false }), ballot('tests', 'error')]
    expect(deterministicVeto(ballots)).toEqual({ status: 'error', because: ['tests'] })
  })
})

describe('given scores', () => {
  const scored = (verifier: string, score: number): Vote => ({
    ...ballot(verifier, 'passed'),
    verdict: passedVerdict(verifier, { score }),
  })

  it('counts a score as that part of the weight', () => {
    const aggregator = weightedScore({ threshold: 0.7 })
    expect(aggregator([scored('a', 0.8), scored('b', 0.6)]).status).toBe('passed')
    expect(aggregator([scored('a', 0.8), scored('b', 0.5)]).status).toBe('failed')
  })

  it('counts nothing for a failure, whatever its score', () => {
    const lost = { ...ballot('a', 'failed'), verdict: failedVerdict('a', { score: 0.99 }) }
    expect(weightedScore({ threshold: 0.5 })([lost]).status).toBe('failed')
  })

  it('takes the weight of the ballot where none is given, and proves nothing with no weight at all', () => {
    const light = ballot('a', 'passed', { weight: 1 })
    const heavy = ballot('b', 'failed', { weight: 9 })
    expect(weightedScore({ threshold: 0.5 })([light, heavy]).status).toBe('failed')
    expect(weightedScore({ threshold: 0.5 })([ballot('a', 'passed', { weight: 0 })]).status).toBe('skipped')
  })
})

describe('given a run', () => {
  it('takes the latest verdict of each verifier that has one, with what the run says of it', () => {
    const verifiers = ['a', { name: 'b', required: false, weight: 3, deterministic: false }, 'c']
    const { state } = given(
      begun({ verifiers }, failedVerdict('a'), erroredVerdict('b')),
      edited(1, 'tree-1'),
      checked('change', passedVerdict('a'), passedVerdict('b')),
    )
    expect(collectVotes(state)).toEqual([
      { verdict: passedVerdict('a'), required: true, weight: 1, deterministic: true },
      { verdict: passedVerdict('b'), required: false, weight: 3, deterministic: false },
    ])
  })
})

const status = fc.constantFrom<VerdictStatus[]>('passed', 'failed', 'error', 'skipped', 'pending')
const names = ['a', 'b', 'c', 'd', 'e']

function ballotOf(verifier: string, given: VerdictStatus, different: Partial<Vote> = {}): Vote {
  return { verdict: verdictOf(given, verifier), required: true, weight: 1, deterministic: true, ...different }
}

const ballots: fc.Arbitrary<readonly Vote[]> = fc
  .array(
    fc.record({ status, required: fc.boolean(), deterministic: fc.boolean(), weight: fc.nat({ max: 4 }) }),
    {
      maxLength: names.length,
    },
  )
  .map((rows) => rows.map((row, index) => ballotOf(names[index] ?? '', row.status, row)))

const plain: fc.Arbitrary<Aggregator> = fc.oneof(
  fc.constantFrom(deterministicVeto, allRequired),
  fc.double({ min: 0.1, max: 1, noNaN: true }).map((threshold) => weightedScore({ threshold })),
  fc.integer({ min: 1, max: 4 }).map((atLeast) => quorum({ atLeast })),
)

describe('given any aggregator', () => {
  it('does not look at the order of the ballots', () => {
    const shuffled = ballots.chain((row) =>
      fc.tuple(fc.constant(row), fc.shuffledSubarray([...row], { minLength: row.length })),
    )
    fc.assert(
      fc.property(plain, shuffled, (aggregator, [row, other]) => {
        expect(aggregator(other).status).toBe(aggregator(row).status)
        expect(aggregator(other).because.toSorted()).toEqual(aggregator(row).because.toSorted())
      }),
    )
  })

  it('never passes where nothing passed (I7)', () => {
    const none = ballots.map((row) => row.filter(({ verdict }) => verdict.status !== 'passed'))
    fc.assert(
      fc.property(plain, none, (aggregator, row) => {
        expect(aggregator(row).status).not.toBe('passed')
      }),
    )
  })

  it('names only verifiers that were asked', () => {
    fc.assert(
      fc.property(plain, ballots, (aggregator, row) => {
        const asked = row.map(({ verdict }) => verdict.verifier)
        for (const name of aggregator(row).because) expect(asked).toContain(name)
      }),
    )
  })
})

describe('given verdicts that could not be decided', () => {
  const later = fc.array(fc.constantFrom<VerdictStatus[]>('passed', 'failed'), { minLength: 5, maxLength: 5 })

  it('says passed or failed only where they cannot change it any more', () => {
    fc.assert(
      fc.property(plain, ballots, later, (aggregator, row, words) => {
        const { status: before } = aggregator(row)
        fc.pre(before === 'passed' || before === 'failed')
        const decided = row.map((ballot, index) => {
          const { status: open, verifier } = ballot.verdict
          const isOpen = open === 'error' || open === 'pending'
          return isOpen ? { ...ballot, verdict: verdictOf(words[index] ?? 'failed', verifier) } : ballot
        })
        expect(aggregator(decided).status).toBe(before)
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
