import { describe, expect, it } from 'vitest'
import { after, all, judge, knownIn, reportOf, rules, tests } from './fixtures/judged.ts'
import { testsEvidenceOf, type TestResult } from './report.ts'

describe('given a test of the baseline tree in another place', () => {
  it('is not silenced by a module that is only skipped', () => {
    const module: TestResult = { name: 'test_other', status: 'skipped', isTest: false, file: 'test_other.py' }
    const report = reportOf([...tests('passed a'), module])
    expect(rules(after(['passed a', 'passed b'], [], { report }))).toEqual(['tests.fewer-executed'])
  })

  it('takes it for the same test where it was taken out of its class, and says so', () => {
    const judged = after(['passed TestCart > test_adds'], ['passed test_adds'])
    expect(judged).toMatchObject({ status: 'passed', findings: [] })
    expect(judged.notes).toEqual(['taken as one test in a new place: TestCart > test_adds → test_adds'])
  })

  it('misses it where it has other words now', () => {
    expect(rules(after(['passed adds two numbers'], ['passed adds two integers']))).toEqual([
      'tests.fewer-executed',
    ])
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
})
