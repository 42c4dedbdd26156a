import { test as prop, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { TestsEvidence } from '@donecheck/core/internal/events/verdicts'
import { compareWithBaseline } from './judge-tests.ts'
import { countsOf, testsEvidenceOf, type TestReport, type TestResult } from './report.ts'

const all = () => true

function reportOf(tests: readonly TestResult[]): TestReport {
  return { format: 'junit', counts: countsOf(tests), tests }
}

describe('given a very long report', () => {
  const many: TestResult[] = Array.from({ length: 100_000 }, (_, index) => ({
    name: `test ${index} ${'x'.repeat(400)}`,
    status: index % 2 === 0 ? 'failed' : 'skipped',
    message: 'm'.repeat(5_000),
  }))
  const evidence: TestsEvidence = testsEvidenceOf(reportOf(many), all)

  it('keeps within the bounds of an event', () => {
    expect(evidence.counts.total).toBe(100_000)
    expect(evidence.failed).toHaveLength(1_000)
    expect(evidence.skipped).toHaveLength(1_000)
    expect(Math.max(...evidence.failed.map(({ name }) => name.length))).toBe(301)
    expect(evidence.executedDigests).toHaveLength(20_000)
    expect(JSON.stringify(evidence).length).toBeLessThan(2_000_000)
  })

  it('still sees that tests are missing', () => {
    const before = many.map((test): TestResult => ({
      ...test,
      status: 'passed',
      name: test.name.slice(0, 20),
    }))
    const baseline = testsEvidenceOf(reportOf(before), all)
    const comparison = compareWithBaseline(reportOf(before.slice(1)), baseline, new Map())
    expect(comparison?.missing.count).toBe(1)
  })
})

describe('given messages that end in the middle of a character', () => {
  prop.prop([fc.string({ unit: 'grapheme', minLength: 250, maxLength: 400 })])(
    'keeps text that can be stored',
    (text) => {
      const [failed] = testsEvidenceOf(
        reportOf([{ name: text, status: 'failed', message: text.repeat(4) }]),
        all,
      ).failed
      expect(failed?.name.isWellFormed()).toBe(true)
      expect(failed?.message?.isWellFormed()).toBe(true)
    },
  )
})
