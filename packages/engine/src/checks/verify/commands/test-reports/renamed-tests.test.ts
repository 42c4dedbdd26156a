import { describe, expect, it } from 'vitest'
import { after, all, judge, knownIn, reportOf, rules, tests } from './fixtures/judged.ts'
import type { TestResult } from './report.ts'
import { testsEvidenceOf } from './tests-evidence.ts'

describe('given a test of the baseline tree under another name', () => {
  it('takes a new name that is much like the old one for the same test', () => {
    const judged = after(['passed adds two numbers'], ['passed adds two integers'])
    expect(judged).toMatchObject({ status: 'passed', findings: [] })
    expect(judged.notes).toEqual(['taken as one test under a new name: adds two numbers → adds two integers'])
  })

  it('is not silenced by a module that is only skipped', () => {
    const module: TestResult = { name: 'test_other', status: 'skipped', isTest: false, file: 'test_other.py' }
    const report = reportOf([...tests('passed a'), module])
    expect(rules(after(['passed a', 'passed b'], [], { report }))).toEqual(['tests.fewer-executed'])
  })

  it.each([
    ['it got a longer title', ['passed adds numbers'], ['passed adds two or more numbers']],
    [
      'tests were merged into one with parameters',
      ['passed cart > test_total_of_empty', 'passed cart > test_total_of_one'],
      ['passed cart > test_total[empty-of]', 'passed cart > test_total[one-of]'],
    ],
    ['a test was taken out of its class', ['passed TestCart > test_adds'], ['passed test_adds']],
  ])('takes it for the same test where %s', (_, before, now) => {
    expect(after(before, now)).toMatchObject({ status: 'passed', findings: [] })
  })

  it('takes a test of the same own name for the same where its file was renamed', () => {
    const inFile = (module: string): TestResult[] => [
      { name: `tests.${module} > test_adds`, status: 'passed', file: `tests/${module}.py` },
      { name: `tests.${module} > test_takes_away`, status: 'passed', file: `tests/${module}.py` },
    ]
    const before = inFile('test_cart')
    const changes = { baseline: testsEvidenceOf(reportOf(before), all), known: knownIn(before) }
    const renamed = judge([], { ...changes, report: reportOf(inFile('test_basket')) })
    expect(renamed).toMatchObject({ status: 'passed', findings: [] })
    const shorter = judge([], { ...changes, report: reportOf(inFile('test_basket').slice(1)) })
    expect(rules(shorter)).toEqual(['tests.fewer-executed'])
  })

  it('takes no test of other words in another file for it', () => {
    const before = tests('passed adds numbers')
    const report = reportOf([{ name: 'adds two numbers', status: 'passed', file: 'b.test.js' }])
    const changes = { baseline: testsEvidenceOf(reportOf(before), all), known: knownIn(before) }
    expect(rules(judge([], { ...changes, report }))).toEqual(['tests.fewer-executed'])
  })
})
