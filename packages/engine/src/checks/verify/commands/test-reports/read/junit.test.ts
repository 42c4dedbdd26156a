import { test as prop, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { TestResult } from '../report.ts'
import { readJunit } from './junit.ts'

function testsIn(text: string): readonly TestResult[] {
  const reading = readJunit(text, '/srv/project')
  if (reading.kind === 'unreadable') throw new Error(reading.problem)
  return reading.report.tests
}

const briefly = (text: string) => testsIn(text).map(({ status, name }) => `${status} ${name}`)

describe('given the dialects of JUnit XML', () => {
  it('reads Surefire: one suite as the root, errors apart from failures', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.acme.SumTest" time="0.05" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds" classname="com.acme.SumTest" time="0.001"/>
  <testcase name="breaks" classname="com.acme.SumTest" time="0.002">
    <failure message="expected: &lt;3&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[at com.acme.SumTest.breaks(SumTest.java:9)]]></failure>
    <system-out><![CDATA[hello]]></system-out>
  </testcase>
  <testcase name="throws" classname="com.acme.SumTest"><error type="java.lang.NullPointerException">null</error></testcase>
  <testcase name="later" classname="com.acme.SumTest"><skipped message="not yet"/></testcase>
</testsuite>`
    expect(briefly(text)).toEqual([
      'passed com.acme.SumTest > adds',
      'failed com.acme.SumTest > breaks',
      'errored com.acme.SumTest > throws',
      'skipped com.acme.SumTest > later',
    ])
    expect(testsIn(text)[1]?.message).toBe('expected: <3> but was: <2>')
  })

  it('reads jest-junit: a class name that repeats the name', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="1" failures="0" errors="0" time="0.4">
  <testsuite name="sum" errors="0" failures="0" skipped="0" timestamp="2026-01-01T00:00:00" time="0.3" tests="1">
    <testcase classname="sum adds" name="sum adds" time="0.001"></testcase>
  </testsuite>
</testsuites>`
    expect(briefly(text)).toEqual(['passed sum adds'])
  })

  it('names tests without the folder, by which PHPUnit names the outermost suite', () => {
    const test = '<testcase name="testOff" classname="PriceTest" file="/srv/project/tests/PriceTest.php"/>'
    const suite = `<testsuite name="PriceTest"><testsuite name="PriceTest">${test}</testsuite></testsuite>`
    const text = `<testsuites><testsuite name="/srv/project/tests">${suite}</testsuite></testsuites>`
    expect(briefly(text).join()).not.toContain('/srv/project')
  })

  it('reads PHPUnit: suites in suites', () => {
    const text = `<testsuites><testsuite name="all" tests="1" errors="0" failures="0"><testsuite name="SumTest" file="/srv/project/tests/SumTest.php" tests="1">
<testcase name="testAdds" file="/srv/project/tests/SumTest.php" line="9" class="SumTest" classname="SumTest" assertions="1" time="0.001"/>
</testsuite></testsuite></testsuites>`
    expect(testsIn(text)).toEqual([
      { name: 'all > SumTest > testAdds', status: 'passed', file: 'tests/SumTest.php', line: 9 },
    ])
  })
})

describe('given a report that is not to be believed', () => {
  const whole =
    '<testsuites><testsuite name="s" tests="1"><testcase classname="c" name="a"/></testsuite></testsuites>'

  it.each([
    ['nothing', ''],
    ['prose', 'all tests passed'],
    ['other XML', '<html><body/></html>'],
    [
      'an entity bomb',
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${whole.replace('"a"', '"&b;"')}`,
    ],
    ['an external entity', `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${whole}`],
    ['two documents', whole + whole],
    ['an unclosed tag', '<testsuite><testcase name="a"></testsuite>'],
    ['counts without tests', '<testsuite name="s" tests="5"></testsuite>'],
    ['suites without an end', '<testsuite>'.repeat(50_000)],
    ['suites too deep', '<testsuite name="s">'.repeat(50_000) + '</testsuite>'.repeat(50_000)],
  ])('is unreadable: %s', (_, text) => {
    expect(readJunit(text, '/srv/project')).toMatchObject({ kind: 'unreadable' })
  })

  it('is errored where it counts more failures than it lists', () => {
    const text = '<testsuite name="s" tests="2" failures="2"><testcase classname="c" name="a"/></testsuite>'
    expect(briefly(text)).toEqual(['passed c > a', 'errored 2 failures outside of any test'])
  })

  prop.prop([fc.integer({ min: 0, max: whole.length - 1 })])(
    'is unreadable wherever it is cut off',
    (length) => {
      expect(readJunit(whole.slice(0, length), '/srv/project')).toMatchObject({ kind: 'unreadable' })
    },
  )

  prop.prop([fc.string({ unit: 'binary' })])('never throws, whatever it is given', (text) => {
    readJunit(`<testsuites>${text}</testsuites>`, '/srv/project')
  })
})

describe('given any tests', () => {
  const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)
  // A test that is called like its class is given once.
  const name = fc
    .stringMatching(/^[\w &<>"']{1,20}$/)
    .filter((text) => text.trim() === text && text !== '' && !text.startsWith('c'))
  const status = fc.constantFrom('passed', 'failed', 'errored', 'skipped')
  const inside = { passed: '', failed: '<failure/>', errored: '<error>x</error>', skipped: '<skipped/>' }

  prop.prop([fc.array(fc.record({ name, status }), { minLength: 1 })])(
    'gives back each with its status',
    (tests) => {
      const cases = tests.map(
        (test) => `<testcase classname="c" name="${escaped(test.name)}">${inside[test.status]}</testcase>`,
      )
      const text = `<testsuites><testsuite name="s">${cases.join('')}</testsuite></testsuites>`
      expect(testsIn(text)).toEqual(
        tests.map(
          (test) => expect.objectContaining({ name: `c > ${test.name}`, status: test.status }) as unknown,
        ),
      )
    },
  )
})
