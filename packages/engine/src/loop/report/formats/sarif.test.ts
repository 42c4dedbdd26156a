import { test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { passedVerdict } from '@donecheck/core/testing'
import { hostileReport, report } from '../fixtures/verdicts.ts'
import { sarifReport } from './sarif.ts'

describe('given verdicts as SARIF', () => {
  const [run] = sarifReport(report).runs
  const results = run?.results ?? []
  const of = (ruleId: string) => results.filter((result) => result.ruleId === ruleId)

  it('names its version, and every rule that a result points at', () => {
    expect(sarifReport(report)).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { version: '0.1.0' } } }],
    })
    const rules = run?.tool.driver.rules ?? []
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId)
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    expect(rules.find(({ id }) => id === 'test.skipped')?.help.text).toContain('a skipped test cannot fail')
  })

  it('has a finding at its line, with how to let it pass', () => {
    const [skipped] = of('test.skipped')
    expect(skipped).toMatchObject({
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'test/later.test.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 7 },
          },
        },
      ],
    })
    expect(skipped?.message.text).toContain(
      'waive: [{ rule: "test.skipped", path: "test/later.test.ts", by: "…", until: "YYYY-MM-DD", reason: "…" }] in donecheck.config',
    )
    expect(skipped).not.toHaveProperty('suppressions')
  })

  it('has a waived finding suppressed, and says by whom', () => {
    expect(of('assertion.removed')).toMatchObject([
      {
        level: 'warning',
        suppressions: [
          {
            kind: 'external',
            status: 'accepted',
            justification: 'Waived by Ada until 2026-12-31: waits for the new API',
          },
        ],
      },
    ])
  })

  it('has failed tests at their lines, in a path that is an address', () => {
    const [failedTest] = of('test.failed')
    expect(failedTest?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('test/sum%20test.ts')
  })

  it('has what is open by its weight: errors, and notes for what has no vote', () => {
    expect(of('check.failed').map(({ level, message }) => [level, message.text.split(':')[0]])).toEqual([
      ['error', 'tamper guard'],
      ['error', 'npm test'],
      ['note', 'style'],
      ['note', 'new rule'],
    ])
    expect(of('check.error').map(({ level }) => level)).toEqual(['error'])
    expect(of('check.pending').map(({ level }) => level)).toEqual(['error'])
    expect(of('check.skipped')).toEqual([])
  })

  it('says nothing of what passed', () => {
    const [empty] = sarifReport({ verdicts: [passedVerdict('lint')], version: '1' }).runs
    expect(empty?.results).toEqual([])
    expect(empty?.tool.driver.rules).toEqual([])
  })

  test.prop([hostileReport])('nobody is sent out of the folder, and every line is one', (hostile) => {
    const log = sarifReport(hostile)
    for (const { locations, message } of log.runs[0]?.results ?? []) {
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(message.text).not.toMatch(/[\u0000-\u0008\u001B\u202E]/)
      for (const { physicalLocation } of locations) {
        const { uri } = physicalLocation.artifactLocation
        expect(new URL(uri, 'https://example.org/root/').href.startsWith('https://example.org/root/')).toBe(
          true,
        )
        expect(physicalLocation.region?.startLine ?? 1).toBeGreaterThan(0)
      }
    }
    expect(JSON.parse(JSON.stringify(log))).toEqual(log)
  })
})
