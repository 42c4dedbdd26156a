import { test as prop, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { after, all, countsOnly, judge, reportOf, rules, tests } from './fixtures/judged.ts'
import { mayDropBy, testsEvidenceOf, isExecuted, type TestResult } from './report.ts'

describe('given a run without a baseline tree to compare with', () => {
  it('passes where every executed test passed, with the counts', () => {
    expect(judge(['passed a', 'passed b', 'skipped c'])).toEqual({
      status: 'passed',
      reason: 'npm test passed (exit 0; 2 passed, 1 skipped)',
      qualifiers: [],
      score: 1,
      findings: [],
      notes: [],
    })
  })

  it.each([0, 1])('fails where no test was executed, with exit code %i', (exitCode) => {
    const judged = judge([], { exitCode })
    expect(judged).toMatchObject({ status: 'failed', score: 0 })
    expect(judged.reason).toContain('no test was executed')
  })

  it('fails where a test failed, and names the first with its place', () => {
    const report = reportOf([
      { name: 'sum > adds', status: 'failed', file: 'a.test.js', line: 5 },
      ...tests('passed b'),
    ])
    expect(judge([], { report, exitCode: 1 })).toMatchObject({
      status: 'failed',
      reason: 'npm test failed (exit 1): 1 of 2 tests failed, first: sum > adds (a.test.js:5)',
      score: 0.5,
    })
  })

  it.each(['failed a', 'errored a'])('does not believe exit code 0 over %s', (red) => {
    const judged = judge([red, 'passed b'], { exitCode: 0 })
    expect(judged).toMatchObject({ status: 'failed', qualifiers: [] })
    expect(judged.notes).toEqual(['exit code 0 hides failed tests: the report is believed'])
  })

  it('does not believe a report over the exit code, and says that no test failed', () => {
    const judged = judge(['passed a'], { exitCode: 1 })
    expect(judged).toMatchObject({ status: 'failed', reason: 'npm test failed (exit 1), although 1 passed' })
    expect(judged.notes.join()).toContain('no test failed')
  })
})

describe('given fewer tests than on the baseline tree', () => {
  it('fails, and names them', () => {
    const judged = after(['passed a', 'passed long gone', 'passed c'], ['passed a', 'passed c'])
    expect(judged.status).toBe('failed')
    expect(judged.findings).toEqual([
      {
        kind: 'finding',
        rule: 'tests.fewer-executed',
        response: 'refuse',
        message: '1 test of the baseline tree not executed any more: long gone',
        why: 'a test that is not executed proves nothing, and the baseline tree executed it',
        path: 'a.test.js',
      },
    ])
  })

  it('does not count a new test for a missing one', () => {
    const judged = after(['passed the sum is right', 'passed b'], ['passed b', 'passed ok', 'passed fine'])
    expect(rules(judged)).toEqual(['tests.fewer-executed'])
  })

  it('sees that one of two tests with one name is gone', () => {
    expect(rules(after(['passed works', 'passed works'], ['passed works']))).toEqual(['tests.fewer-executed'])
  })

  it('compares numbers where only numbers are known', () => {
    const baseline = testsEvidenceOf(countsOnly(tests('passed a', 'passed b')), all)
    const now = countsOnly(tests('passed a'))
    expect(rules(judge([], { report: now, baseline }))).toEqual(['tests.fewer-executed'])
    expect(judge([], { report: countsOnly(tests('passed a', 'passed b')), baseline }).status).toBe('passed')
  })

  it('only notes them where a file could not be loaded: that is the failure', () => {
    const report = reportOf([...tests('passed a'), { name: 'b.test.js', status: 'errored', isTest: false }])
    const judged = after(['passed a', 'passed b'], [], { report, exitCode: 1 })
    expect(judged).toMatchObject({ status: 'failed', findings: [] })
    expect(judged.notes.join()).toContain('not executed any more: b')
  })

  it('asks for no file that could not be loaded there', () => {
    const before = reportOf([...tests('passed a'), { name: 'b.test.js', status: 'errored', isTest: false }])
    const baseline = testsEvidenceOf(before, all)
    expect(judge(['passed a', 'passed b'], { baseline })).toMatchObject({ status: 'passed', findings: [] })
  })

  it.each(['old/**', 'the old*', '**/a.test.js'])('lets those vanish that %s matches', (glob) => {
    const before = reportOf([
      {
        name: 'the old one',
        status: 'passed',
        file: glob.startsWith('old') ? 'old/x/b.test.js' : 'a.test.js',
      },
      { name: 'b', status: 'passed', file: 'b.test.js' },
    ])
    const mayDrop = mayDropBy([glob])
    const baseline = testsEvidenceOf(before, (test) => !mayDrop(test))
    expect(judge(['passed b'], { baseline })).toMatchObject({ status: 'passed', findings: [] })
    expect(rules(judge(['passed the old one'], { baseline }))).toEqual(['tests.fewer-executed'])
  })
})

describe('given a test that is skipped now', () => {
  it.each(['passed', 'failed'])('fails where it %s on the baseline tree', (status) => {
    const judged = after([`${status} a`, 'passed b'], ['skipped a', 'passed b'])
    expect(judged.status).toBe('failed')
    expect(rules(judged)).toEqual(['tests.newly-skipped'])
    expect(judged.findings[0]).toMatchObject({ path: 'a.test.js', response: 'refuse' })
  })

  it('passes where it was skipped there too, or was not there', () => {
    expect(after(['skipped a', 'passed b'], ['skipped a', 'passed b', 'skipped c']).status).toBe('passed')
  })
})

describe('given failures that were there before', () => {
  const red = ['failed old', 'passed b'] as const

  it('fails all the same by default, and says so', () => {
    const judged = after(red, red)
    expect(judged).toMatchObject({ status: 'failed', qualifiers: ['pre-existing'] })
    expect(judged.reason).toContain('all of them on the baseline tree as well')
  })

  it('passes where it need not be better, with the counts', () => {
    expect(after(red, red, { preExisting: 'tolerate' })).toMatchObject({
      status: 'passed',
      qualifiers: ['pre-existing'],
      reason:
        'npm test is not worse than on the baseline tree (1 passed, 1 failed; every failure was there before)',
      score: 0.5,
    })
  })

  it.each([
    ['another test fails', ['failed old', 'failed b']],
    ['a test is missing', ['failed old']],
    ['a test is newly skipped', ['failed old', 'skipped b']],
    ['a new test fails', ['failed old', 'passed b', 'failed new']],
    ['nothing is executed', ['skipped old', 'skipped b']],
  ])('fails where %s', (_, now) => {
    expect(after(red, now, { preExisting: 'tolerate', exitCode: 1 }).status).toBe('failed')
  })

  it('fails where something else of the command may have failed too', () => {
    expect(after(red, red, { preExisting: 'tolerate', isAlone: false })).toMatchObject({
      status: 'failed',
      qualifiers: ['pre-existing'],
    })
  })

  it('fails where something failed outside of any test, although something did before', () => {
    const outside: TestResult = { name: 'a failure outside of any test', status: 'errored', isTest: false }
    const baseline = testsEvidenceOf(reportOf([...tests('passed b'), outside]), all)
    const report = reportOf([...tests('passed b'), outside])
    expect(judge([], { report, baseline, preExisting: 'tolerate', exitCode: 1 }).status).toBe('failed')
  })

  it('fails where only numbers are known', () => {
    const report = countsOnly(tests(...red))
    expect(after(red, [], { report, preExisting: 'tolerate', exitCode: 1 }).status).toBe('failed')
  })
})

describe('given any run', () => {
  const status = fc.constantFrom('passed', 'failed', 'errored', 'skipped')
  const someTests = fc.uniqueArray(fc.tuple(status, fc.stringMatching(/^[a-z]{1,8}$/)), {
    selector: ([, name]) => name,
  })
  const words = someTests.map((pairs) => pairs.map((pair) => pair.join(' ')))
  const preExisting = fc.constantFrom('fix' as const, 'tolerate' as const)

  prop.prop([words, words, fc.integer({ min: 0, max: 3 }), preExisting])(
    'never passes with a failure that was not there before, without a test, or with one missing',
    (before, now, exitCode, choice) => {
      const judged = after(before, now, { exitCode, preExisting: choice })
      if (judged.status !== 'passed') return
      const then = new Map(tests(...before).map(({ name, status: word }) => [name, word]))
      const red = tests(...now).filter((test) => test.status === 'failed' || test.status === 'errored')
      expect(tests(...now).some(isExecuted)).toBe(true)
      expect(red.every(({ name }) => ['failed', 'errored'].includes(then.get(name) ?? ''))).toBe(true)
      expect(choice === 'fix' ? red : []).toEqual([])
      expect(judged.findings).toEqual([])
      expect(exitCode === 0 || red.length > 0).toBe(true)
    },
  )

  prop.prop([words])('passes again where it passed and nothing has changed', (now) => {
    const first = judge(now, { exitCode: 0 })
    expect(after(now, now, { exitCode: 0 }).status === 'passed').toBe(first.status === 'passed')
  })
})
