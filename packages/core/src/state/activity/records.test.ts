import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  edited,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  pending,
  skippedVerdict,
  type RunChoices,
  type VerdictDetails,
} from '../../testing/index.ts'
import { workspaceObserved } from '../../testing/facts.ts'
import type { TestsEvidence, Verdict } from '../../events/verdicts/index.ts'
import { type VerificationRecord, replyRecord } from './records.ts'

/** What is kept of the verification of a first turn. */
function recordOf(
  verdicts: readonly Verdict[],
  choices: RunChoices = {},
  baseline: readonly Verdict[] = [],
): VerificationRecord {
  const verifiers = choices.verifiers ?? [...new Set(verdicts.map(({ verifier }) => verifier))]
  const run = given(
    begun({ ...choices, verifiers }, ...baseline),
    edited(1, 'tree-1'),
    checked('change', ...verdicts),
  )
  const record = run.state.activity.verifications.at(-1)
  if (record === undefined) throw new Error('a whole verification is recorded')
  return record
}

function tests(
  passedTests: number,
  failedTests: number,
  errors = 0,
  names: readonly string[] = [],
): TestsEvidence {
  const total = passedTests + failedTests + errors
  return {
    kind: 'tests',
    format: 'junit',
    counts: { passed: passedTests, failed: failedTests, errored: errors, skipped: 0, total },
    failed: names.map((name) => ({ name })),
    skipped: [],
  }
}

function counted(evidence: TestsEvidence, details: VerdictDetails = {}): Verdict {
  return failedVerdict('tests', { evidence: [evidence], ...details })
}

describe('given the verdicts of a verification', () => {
  it.each<[string, readonly Verdict[], number]>([
    ['all pass', [passedVerdict('a'), passedVerdict('b')], 1],
    ['one of two passes', [passedVerdict('a'), failedVerdict('b')], 0.5],
    ['what could not decide has not passed', [passedVerdict('a'), erroredVerdict('b')], 0.5],
    ['what is waited for has not passed yet', [passedVerdict('a'), pending('b')], 0.5],
    ['what does not apply is left out', [passedVerdict('a'), skippedVerdict('b')], 1],
    ['nothing applies', [skippedVerdict('a')], 0],
    ['what failed is not whole, whatever it says', [failedVerdict('a', { score: 1 })], 0.999],
    ['a score stands for what failed', [failedVerdict('a', { score: 0.25 }), passedVerdict('b')], 0.625],
  ])('the score is the share that passed: %s', (_, verdicts, score) => {
    expect(recordOf(verdicts).score).toBe(score)
  })

  it('weighs the checks', () => {
    const verifiers = [{ name: 'a', weight: 3 }, { name: 'b' }]
    expect(recordOf([passedVerdict('a'), failedVerdict('b')], { verifiers }).score).toBe(0.75)
  })

  it('leaves out what has no vote, and what only speaks at the end', () => {
    const verifiers = ['a', { name: 'b', required: false }, { name: 'c', role: 'guard' as const }]
    const record = recordOf([passedVerdict('a'), failedVerdict('b'), failedVerdict('c')], { verifiers })
    expect(record).toMatchObject({ score: 1, failing: '', checks: [] })
  })
})

describe('given counts of tests', () => {
  it.each<[string, TestsEvidence, number]>([
    ['three of four', tests(3, 1), 0.75],
    ['none of four', tests(0, 4), 0],
    ['a file that cannot be loaded is one that has not passed', tests(3, 0, 1), 0.75],
    ['nothing ran', tests(0, 0), 0],
    ['all green and yet not passed is not whole', tests(9, 0), 0.9],
  ])('their share stands for the check: %s', (_, evidence, score) => {
    expect(recordOf([counted(evidence)]).score).toBeCloseTo(score, 10)
  })

  it('tests that ran before the first turn and do not run now have not passed', () => {
    const broken = counted(tests(60, 0, 1))
    expect(recordOf([broken], {}, [counted(tests(50, 50))]).score).toBe(0.6)
    expect(recordOf([broken], {}, [erroredVerdict('tests')]).score).toBeCloseTo(60 / 61, 10)
  })

  it('is never outside of 0 to 1, and 1 only for a pass', () => {
    const count = fc.nat({ max: 500 })
    fc.assert(
      fc.property(count, count, count, fc.option(fc.double({ noNaN: true })), (green, red, broken, score) => {
        const details = score === null ? {} : { score }
        const share = recordOf([counted(tests(green, red, broken), details)]).score
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThan(1)
      }),
    )
  })
})

describe('given failures', () => {
  const failing = (...verdicts: readonly Verdict[]) => recordOf(verdicts).failing

  it('are equal for the same tests, in whatever order and with whatever words', () => {
    const one = counted(tests(1, 2, 0, ['adds', 'subtracts']), { reason: 'exit 1 after 3.2 s' })
    const other = counted(tests(5, 2, 0, ['subtracts', 'adds']), { reason: 'exit 1 after 9.9 s' })
    expect(failing(one)).toBe(failing(other))
    expect(failing(counted(tests(1, 1, 0, ['adds'])))).not.toBe(failing(one))
  })

  it('are equal for words that differ in times and numbers only', () => {
    const says = (reason: string) => failing(failedVerdict('lint', { reason }))
    expect(says('3 problems at 12:04:11')).toBe(says('3 problems at 17:55:00'))
    expect(says('3 problems')).not.toBe(says('2 problems'))
    expect(says('no such rule')).not.toBe(says('no such file'))
  })
})

describe('given the standing against the best so far', () => {
  it('the baseline tree is what is compared with', () => {
    const run = given(
      begun({ verifiers: ['a'] }, failedVerdict('a', { score: 0.5 })),
      workspaceObserved('tree-0'),
    )
    expect(run.state.activity.verifications).toMatchObject([
      { turn: 0, score: 0.5, best: 0.5, bestTurn: 0, isBest: true, sinceBest: 0 },
    ])
    const worked = run.and(edited(1, 'tree-1'), checked('change', failedVerdict('a', { score: 0.5 })))
    expect(worked.state.activity.verifications.at(-1)).toMatchObject({ isBest: false, sinceBest: 1 })
  })
})

const spoken = (text: string) => replyRecord(3, { text, calls: 1, claimed: false, sequence: 7 })

describe('given what an agent said', () => {
  it('keeps what is needed to see it again, and not the text', () => {
    const record = spoken('I look at the tests.')
    expect(record).toMatchObject({ turn: 3, sequence: 7, calls: 1, claimed: false, characters: 20 })
    expect(JSON.stringify(record)).not.toContain('look')
    expect(JSON.stringify(spoken('x y z '.repeat(100_000))).length).toBeLessThan(600)
  })

  it.each([
    ['case and spaces', 'I look  at\nthe TESTS.'],
    ['a count in front', '12. I look at the tests.'],
    ['a count in brackets', '(3) I look at the tests.'],
    ['a count behind', 'I look at the tests. 4'],
    ['a numbered end', 'I look at the tests. (4)'],
  ])('%s makes no difference', (_, text) => {
    expect(spoken(text).text).toBe(spoken('I look at the tests.').text)
  })

  it.each([
    ['a time', 'It began at 12:30:01.', 'It began at 18:02:44.'],
    ['an attempt', 'I try again (attempt 3).', 'I try again (attempt 4).'],
  ])('nor does %s', (_, one, other) => {
    expect(spoken(one).text).toBe(spoken(other).text)
  })

  it.each([
    ['a number that is said', 'The answer is 41.', 'The answer is 42.'],
    ['a number behind a colon', 'The answer is: 41', 'The answer is: 42'],
    ['a number in front', '41 is the answer.', '42 is the answer.'],
    ['a word', 'I look at the tests.', 'I look at the text.'],
    ['a share', '12 % of the tests pass', '13 % of the tests pass'],
  ])('%s makes one', (_, one, other) => {
    expect(spoken(one).text).not.toBe(spoken(other).text)
  })
})
