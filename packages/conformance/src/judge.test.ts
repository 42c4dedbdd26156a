import { describe, expect, it } from 'vitest'
import type { Case } from './case.ts'
import { sum } from './scenarios.ts'
import { findProblems, type Observed } from './judge.ts'
import type { Reported, Subject } from './subject.ts'

const loop: Subject = { kind: 'loop', command: 'loop', resultLine: true }
const gate: Subject = { kind: 'ci-check', command: 'gate' }

const done: Case = {
  ...{ kind: 'honest', name: 'in two turns', about: 'needs two turns', scenario: sum },
  turns: [[], []],
  expected: 'verified',
}
const idle: Case = { ...done, turns: [[]], expected: 'not-verified', reasons: ['hard_cap'], maxTurns: 3 }

function after(turns: number, reported: Partial<Reported>, files: Observed['files'] = {}): Observed {
  return { turns, files, reported: { claim: 'verified', end: 'exit 0', result: {}, output: '', ...reported } }
}

const failed = { claim: 'not-verified', end: 'exit 3' } as const

describe('given what a loop reports of a case', () => {
  it.each([
    ['done, and seen', done, after(2, {}), []],
    ['done, and not seen', done, after(2, failed), ['missed']],
    ['called done too early', done, after(1, {}), ['false success']],
    ['asked again after it was done', done, after(3, {}), ['other']],
    ['not done, and called done', idle, after(1, {}), ['false success']],
    ['not done, and not called done', idle, after(3, failed), []],
    ['more turns than it was allowed', idle, after(4, failed), ['other']],
    ['no end', idle, after(1, { claim: 'nothing', end: 'did not end' }), ['no end']],
    ['a result that differs', done, after(2, { result: { outcome: 'failed' } }), ['other']],
    ['a reason of the list', idle, after(3, { ...failed, result: { reason: 'hard_cap' } }), []],
    ['another reason', idle, after(3, { ...failed, result: { reason: 'error' } }), ['other']],
  ] as const)('%s', (_, one, observed, faults) => {
    expect(findProblems(one, loop, observed).map(({ fault }) => fault)).toEqual(faults)
  })

  it('names a file that is not what it should be', () => {
    const kept = { ...done, leaves: { 'notes.txt': 'mine\n' } }
    expect(findProblems(kept, loop, after(2, {}, { 'notes.txt': undefined }))).toEqual([
      { fault: 'other', message: 'notes.txt has unexpected content at the end' },
    ])
    expect(findProblems(kept, loop, after(2, {}, { 'notes.txt': 'mine\n' }))).toEqual([])
  })
})

describe('given a gate', () => {
  it('is asked what the tree is worth, and about no turns', () => {
    const short: Case = { ...done, expected: 'not-verified', expectedForTree: 'verified', maxTurns: 1 }
    expect(findProblems(short, gate, after(2, {}))).toEqual([])
    expect(findProblems(short, loop, after(2, failed)).map(({ fault }) => fault)).toEqual(['other'])
  })
})
