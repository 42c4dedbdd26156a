import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Reading, TestReport, TestResult } from '../report.ts'
import { readTap } from './tap.ts'
import { readFormat, readPrinted } from '../take-report.ts'
import { goOutputOf, readGoJson } from './json.ts'

const folder = '/srv/project'

/** Outputs of real runners over one small project: tests that pass, fail and are skipped, and what cannot be loaded. */
function recorded(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', 'fixtures', name), 'utf8')
}

function reportIn(reading: Reading): TestReport {
  if (reading.kind === 'unreadable') throw new Error(reading.problem)
  return reading.report
}

function briefly({ name, status, file, line }: TestResult): string {
  const place = file === undefined ? '' : ` (${line === undefined ? file : `${file}:${line}`})`
  return `${status} ${name}${place}`
}

function testsIn(reading: Reading): string[] {
  return reportIn(reading).tests.map(briefly)
}

describe('given the report of a real run', () => {
  it('reads the JSON of Vitest', async () => {
    expect(testsIn(await readFormat(recorded('vitest.json'), 'vitest-json', folder))).toEqual([
      'passed sum > adds (a.test.js)',
      'failed sum > breaks (a.test.js:5)',
      'skipped sum > later (a.test.js)',
      'skipped sum > some day (a.test.js)',
      'errored b.test.js (b.test.js)',
    ])
  })

  it('reads the JSON of Jest', async () => {
    expect(testsIn(await readFormat(recorded('jest.json'), 'jest-json', folder))).toEqual([
      'passed sum > adds (a.test.js:2)',
      'failed sum > breaks (a.test.js:3)',
      'skipped sum > later (a.test.js:6)',
      'skipped sum > some day (a.test.js:7)',
      'errored b.test.js (b.test.js)',
    ])
  })

  it('reads the JUnit XML of node:test, and takes a file without a test for no test', async () => {
    expect(testsIn(await readFormat(recorded('node-test.xml'), 'junit', folder))).toEqual([
      'passed alone (a.test.js)',
      'errored b.test.js (b.test.js)',
      'passed sum > adds (a.test.js)',
      'failed sum > breaks (a.test.js:5)',
      'skipped sum > later (a.test.js)',
      'skipped sum > some day (a.test.js)',
    ])
  })

  it('reads the TAP of node:test, and takes a file without a test for no test', () => {
    expect(testsIn(readTap(recorded('node-test.tap'), folder))).toEqual([
      'passed sum > adds',
      'failed sum > breaks (a.test.js:5)',
      'skipped sum > later',
      'skipped sum > some day',
      'passed alone',
      'errored b.test.js (b.test.js:1)',
    ])
  })

  it('reads the JUnit XML of pytest, with lines from 1', async () => {
    expect(testsIn(await readFormat(recorded('pytest.xml'), 'junit', folder))).toEqual([
      'errored test_b (test_b.py:1)',
      'passed test_a.TestSum > test_adds (test_a.py:3)',
      'failed test_a > test_breaks (test_a.py:5)',
      'passed test_a > test_each[1] (test_a.py:7)',
      'passed test_a > test_each[2] (test_a.py:7)',
      'skipped test_a > test_later (test_a.py:10)',
      'skipped test_a > test_xf (test_a.py:12)',
      'errored test_a > test_setup (test_a.py:16)',
    ])
  })

  it('reads go test -json: subtests, a panic, and a package that does not build', () => {
    expect(testsIn(readGoJson(recorded('go.jsonl')))).toEqual([
      'failed example.com/go > TestAdds',
      'passed example.com/go > TestAdds > one',
      'failed example.com/go > TestAdds > two',
      'passed example.com/go > TestFine',
      'skipped example.com/go > TestLater',
      'passed example.com/go/panics > TestOk',
      'failed example.com/go/panics > TestP',
      'errored example.com/go/broken',
    ])
  })

  it('gives back what go test -v would have printed', () => {
    const shown = goOutputOf(recorded('go.jsonl'))
    expect(shown).toContain('    --- FAIL: TestAdds/two (0.00s)\n')
    expect(shown).toContain('FAIL\texample.com/go/broken [build failed]\n')
    expect(shown).not.toContain('"Action"')
  })

  it.each(['node-test.tap', 'vitest.json', 'node-test.xml', 'go.jsonl'])(
    'knows what %s is by itself, behind the lines of a package manager',
    async (name) => {
      const text = name.endsWith('xml') ? recorded(name) : `\n> test\n> runner\n\n${recorded(name)}`
      expect(reportIn(await readPrinted(text, folder, false)).counts.total).toBeGreaterThan(3)
    },
  )

  it.each(['vitest.json', 'jest.json'] as const)('does not believe half of %s', async (name) => {
    const text = recorded(name)
    expect(await readFormat(text.slice(0, text.length / 2), 'jest-json', folder)).toMatchObject({
      kind: 'unreadable',
    })
  })
})

describe('given TAP of other producers', () => {
  it.each([
    ['TAP 12', '1..2\nok 1 - a\nnot ok 2 - b\n', ['passed a', 'failed b']],
    ['a plan at the end', 'TAP version 13\nok a\nok b\n1..2\n', ['passed a', 'passed b']],
    [
      'directives',
      '1..3\nok 1 a # SKIP why\nnot ok 2 b # TODO\nok 3 c # todo',
      ['skipped a', 'skipped b', 'skipped c'],
    ],
    ['a plan of none', '1..0 # skip all\n', []],
    [
      'subtests of TAP 14',
      'TAP version 14\n1..2\n# Subtest: g\n    ok 1 - x\n    not ok 2 - y\n    1..2\nnot ok 1 - g\nok 2 - z\n',
      ['passed g > x', 'failed g > y', 'passed z'],
    ],
    [
      'a group that failed by itself',
      'TAP version 14\n# Subtest: g\n    ok 1 - x\n    1..1\nnot ok 1 - g\n1..1\n',
      ['passed g > x', 'failed g'],
    ],
  ])('reads %s', (_, text, tests) => {
    expect(testsIn(readTap(text, folder))).toEqual(tests)
  })

  it.each([
    ['it bailed out', '1..3\nok 1 - a\nBail out! no database\n', 'errored bailed out > no database'],
    ['it has fewer points than planned', '1..3\nok 1 - a\n', 'errored incorrect number of tests'],
    ['it has no plan', 'ok 1 - a\n', 'errored no plan'],
  ])('has an errored test where %s', (_, text, errored) => {
    expect(testsIn(readTap(text, folder))).toContain(errored)
  })

  it('is unreadable where it is prose', () => {
    expect(readTap('it is all ok\n', folder)).toMatchObject({ kind: 'unreadable' })
  })
})

describe('given go test -json that is out of the ordinary', () => {
  const line = (fields: object) => `${JSON.stringify(fields)}\n`

  it('takes a test that was begun and did not end for errored', () => {
    const text = line({ Action: 'run', Package: 'p', Test: 'TestA' }) + line({ Action: 'fail', Package: 'p' })
    expect(testsIn(readGoJson(text))).toEqual(['errored p > TestA'])
  })

  it('takes a package that failed without a test for errored', () => {
    expect(testsIn(readGoJson(line({ Action: 'fail', Package: 'p' })))).toEqual(['errored p'])
  })

  it('is unreadable without events', () => {
    expect(readGoJson('ok  \tp\t0.1s\n')).toMatchObject({ kind: 'unreadable' })
  })
})
