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
} from '../../../testing/index.ts'
import type { RunChoices, VerdictDetails } from '../../../testing/index.ts'
import { turnEnded, workspaceObserved } from '../../../testing/facts.ts'
import type { TestsEvidence, Verdict } from '../../../events/verdicts/index.ts'
import type { VerificationRecord } from '../records.ts'

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

  it('a pass is whole, whatever was counted', () => {
    expect(recordOf([passedVerdict('tests', { evidence: [tests(1, 9)] })]).score).toBe(1)
  })

  it('tests that ran before the first turn and do not run now have not passed', () => {
    const broken = counted(tests(60, 0, 1))
    expect(recordOf([broken], {}, [counted(tests(50, 50))]).score).toBe(0.6)
    expect(recordOf([broken], {}, [erroredVerdict('tests')]).score).toBeCloseTo(60 / 61, 10)
  })

  it('adds up several reports', () => {
    const evidence = [tests(1, 0), tests(1, 2)]
    expect(recordOf([failedVerdict('tests', { evidence })]).score).toBe(0.5)
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

  it('are of the checks that fail, each under its name', () => {
    const record = recordOf([failedVerdict('a'), passedVerdict('b'), erroredVerdict('c')])
    expect(record.checks).toEqual(['a', 'c'])
    expect(failing(failedVerdict('a', { reason: 'x' }))).not.toBe(
      failing(failedVerdict('b', { reason: 'x' })),
    )
    expect(failing(passedVerdict('a'))).toBe('')
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

  it('without it the run begins at 0: a check that never passed is no better than nothing', () => {
    expect(recordOf([failedVerdict('a')])).toMatchObject({
      best: 0,
      isBest: false,
      sinceBest: 1,
      bestTurn: 0,
    })
    expect(recordOf([failedVerdict('a', { score: 0.1 })])).toMatchObject({
      best: 0.1,
      isBest: true,
      sinceBest: 0,
      bestTurn: 1,
    })
  })

  it('is kept in bounded memory', () => {
    let run = given(begun({ verifiers: ['a'] }, failedVerdict('a')), workspaceObserved('tree-0'))
    for (let turn = 1; turn <= 60; turn += 1)
      run = run.and(edited(turn, `tree-${turn}`), checked('change', failedVerdict('a')), turnEnded(turn))
    expect(run.state.activity.verifications).toHaveLength(24)
    expect(run.state.activity.verifications.at(-1)?.sinceBest).toBe(60)
  })
})
