import { test } from '@fast-check/vitest'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hostileReport, report } from '../fixtures/verdicts.ts'
import { junitReport } from './junit.ts'
import { plainLine } from './check-results.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => ['testcase', 'property'].includes(name),
})

const result = z.union([z.string(), z.looseObject({ message: z.string() })])
const properties = z.object({ property: z.array(z.object({ name: z.string(), value: z.string() })) })
const schema = z.object({
  testsuites: z.looseObject({
    testsuite: z.looseObject({
      tests: z.string(),
      failures: z.string(),
      errors: z.string(),
      skipped: z.string(),
      testcase: z
        .array(
          z.looseObject({
            name: z.string(),
            properties,
            failure: result.optional(),
            error: result.optional(),
            skipped: result.optional(),
            'system-out': z.string().optional(),
          }),
        )
        .default([]),
    }),
  }),
})

/** Throws unless the text is well-formed. */
function read(xml: string) {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the validator that takes its place is one more package
  return schema.parse(parser.parse(xml, true)).testsuites.testsuite
}

describe('given verdicts as JUnit XML', () => {
  const suite = read(junitReport(report))
  const caseOf = (name: string) => suite.testcase.find((one) => one.name === name)
  const kindOf = (name: string) =>
    (['failure', 'error', 'skipped'] as const).filter((kind) => caseOf(name)?.[kind] !== undefined)

  it('has one case a check, and counts them by what became of them', () => {
    expect(suite.testcase).toHaveLength(8)
    expect(suite).toMatchObject({ tests: '8', failures: '2', errors: '2', skipped: '3' })
  })

  it.each([
    ['npm test', ['failure']],
    ['build', []],
    ['types', ['error']],
    ['review', ['error']],
    ['docs', ['skipped']],
    ['style', ['skipped']],
    ['new rule', ['skipped']],
  ])('%s is %j', (name, kinds) => {
    expect(kindOf(name)).toEqual(kinds)
  })

  it('has counts, command and fingerprint as properties, and the end of the output', () => {
    const values = Object.fromEntries(
      caseOf('npm test')?.properties.property.map(({ name, value }) => [name, value]) ?? [],
    )
    expect(values).toMatchObject({
      status: 'failed',
      qualifiers: 'flaky',
      command: 'npm test',
      exitCode: '1',
      'tests.passed': '10',
      'tests.total': '12',
      fingerprint: 'tree-1',
    })
    expect(caseOf('npm test')?.['system-out']).toBe('one\ntwo')
    expect(JSON.stringify(caseOf('npm test')?.failure)).toContain('sum > adds (test/sum test.ts:3)')
  })

  it('says of findings what, where, why it matters and how to let it pass', () => {
    const text = JSON.stringify(caseOf('tamper guard')?.failure)
    for (const part of ['is skipped', 'test/later.test.ts:7', 'cannot fail', 'waive: [{', 'Waived by Ada'])
      expect(text).toContain(part)
  })

  test.prop([hostileReport])('nothing breaks out of its place', (hostile) => {
    const xml = junitReport(hostile)
    const { testcase } = read(xml)
    expect(testcase.map(({ name }) => name)).toEqual(
      hostile.verdicts.map(({ verifier }) => plainLine(verifier, 300)),
    )
    expect(xml).not.toContain('<script')
    // eslint-disable-next-line no-control-regex -- what XML may not hold
    expect(xml).not.toMatch(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/)
  })
})
