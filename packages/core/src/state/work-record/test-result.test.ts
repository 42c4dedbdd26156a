import { describe, expect, it } from 'vitest'
import { failingTestsIn, readTestResult } from './test-result.ts'

describe('given the output of a runner', () => {
  it.each([
    '===== 3 passed, 1 skipped in 0.12s =====',
    'Ran 12 tests in 0.1s\n\nOK (skipped=2)',
    'Tests:       4 passed, 4 total',
    '  7 passing (12ms)',
    'ok  \texample.com/a\t0.01s',
    'test result: ok. 3 passed; 0 failed',
    '# pass 3\n# fail 0',
    '====== tests finished: 32 passed, in 8.2 seconds ======',
    '5 examples, 0 failures',
    'OK (3 tests, 4 assertions)',
  ])('%s is a pass', (output) => {
    expect(readTestResult(output, undefined)).toBe('passed')
    expect(readTestResult(output, 'other')).toBe('failed')
  })

  it.each([
    '==== 1 failed, 186 passed in 2s ====',
    '== 4 passed, 146 errors in 33s ==',
    'Ran 2 tests\n\nFAILED (errors=1)',
    'Tests:  1 failed, 3 passed, 4 total',
    '  2 failing',
    '--- FAIL: TestA',
    '# pass 2\n# fail 1',
    'DO *NOT* COMMIT!',
    '5 examples, 1 failure',
  ])('%s is none', (output) => {
    expect(readTestResult(output, undefined)).toBe('failed')
  })

  it.each(['/usr/bin/python3: No module named pytest', 'sh: jest: command not found'])(
    '%s is no run',
    (output) => {
      expect(readTestResult(output, 'other')).toBe('not-started')
    },
  )

  it('no test at all proves nothing, whatever the exit code', () => {
    expect(readTestResult('no tests ran in 0.01s', 'zero')).toBe('nothing-ran')
    expect(readTestResult('Ran 0 tests in 0.0s\n\nOK', 'zero')).toBe('nothing-ran')
  })

  it('without words the exit code speaks, where it is that of the tests', () => {
    expect(readTestResult('', 'zero')).toBe('passed')
    expect(readTestResult('', 'other')).toBe('failed')
    expect(readTestResult('', undefined)).toBe('unknown')
  })
})

describe('given failing tests', () => {
  it('names them as their runner does', () => {
    expect(
      failingTestsIn('FAILED tests/test_a.py::test_b - KeyError\nFAIL: test_c (a.B)\n--- FAIL: TestD (0.0s)'),
    ).toEqual(['tests/test_a.py::test_b', 'test_c (a.B)', 'TestD'])
  })
})
