import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as prop, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { Reading } from '../report.ts'
import { readText, type TextRunner } from './text.ts'

function recorded(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', 'fixtures', name), 'utf8')
}

/** Passed, failed, errored, skipped. */
function numbersIn(reading: Reading): readonly number[] | string {
  if (reading.kind === 'unreadable') return reading.problem
  const { passed, failed, errored, skipped } = reading.report.counts
  return [passed, failed, errored, skipped]
}

const none = 'no summary of a test runner that we know'

describe('given what a runner printed for people', () => {
  it.each<[string, TextRunner, readonly number[]]>([
    ['vitest.txt', 'vitest', [1, 1, 0, 2]],
    ['jest.txt', 'jest', [1, 1, 0, 2]],
    ['mocha.txt', 'mocha', [1, 2, 0, 2]],
    // Its file without a test is among the passed ones: only its reports tell it apart.
    ['node-test.txt', 'node-test', [3, 2, 0, 2]],
    ['node-test.tap', 'node-test', [3, 2, 0, 2]],
    ['pytest.txt', 'pytest', [3, 1, 2, 2]],
    ['cargo.txt', 'cargo', [2, 1, 0, 1]],
    ['go-verbose.txt', 'go', [3, 3, 0, 1]],
  ])('reads %s', (name, runner, counts) => {
    expect(numbersIn(readText(recorded(name), [runner]))).toEqual(counts)
    expect(numbersIn(readText(recorded(name), undefined))).toEqual(counts)
  })

  it.each<[TextRunner, string, readonly number[]]>([
    ['vitest', ' Test Files  1 failed (1)\n      Tests  no tests\n', [0, 0, 1, 0]],
    ['vitest', ' Test Files  1 passed (1)\n      Tests  2 passed (2)\n     Errors  1 error\n', [2, 0, 1, 0]],
    ['vitest', ' Test Files  1 passed (1)\n      Tests  2 passed | 1 expected fail (3)\n', [3, 0, 0, 0]],
    ['vitest', '\nNo test files found, exiting with code 0\n', [0, 0, 0, 0]],
    ['jest', 'No tests found, exiting with code 1\n', [0, 0, 0, 0]],
    ['jest', 'Test Suites: 1 failed, 1 total\nTests:       0 total\nSnapshots:   0 total\n', [0, 0, 1, 0]],
    ['mocha', '\n  0 passing (1ms)\n\n', [0, 0, 0, 0]],
    ['pytest', '3 passed in 0.10s\n', [3, 0, 0, 0]],
    ['pytest', '===== 3 passed, 1 xpassed, 2 warnings in 61.10s (0:01:01) =====\n', [4, 0, 0, 0]],
    ['pytest', '==== no tests ran in 0.01s ====\n', [0, 0, 0, 0]],
    [
      'go',
      'ok  \texample.com/a\t0.002s [no tests to run]\n?   \texample.com/b\t[no test files]\n',
      [0, 0, 0, 0],
    ],
    ['surefire', '[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n', [2, 1, 1, 1]],
    ['surefire', '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n'.repeat(2), [4, 0, 0, 0]],
    ['phpunit', 'OK (3 tests, 5 assertions)\n', [3, 0, 0, 0]],
    ['phpunit', 'FAILURES!\nTests: 4, Assertions: 5, Failures: 1, Skipped: 1.\n', [2, 1, 0, 1]],
    ['phpunit', 'No tests executed!\n', [0, 0, 0, 0]],
    ['rspec', '5 examples, 1 failure, 1 pending\n', [3, 1, 0, 1]],
    ['rspec', '0 examples, 0 failures, 1 error occurred outside of examples\n', [0, 0, 1, 0]],
    [
      'dotnet',
      'Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 5 ms - a.dll (net8.0)\n',
      [2, 1, 0, 1],
    ],
    [
      'cargo',
      'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n',
      [0, 0, 0, 0],
    ],
  ])('reads the words of %s: %j', (runner, text, counts) => {
    expect(numbersIn(readText(text, [runner]))).toEqual(counts)
  })

  it('does not guess how many tests passed in go test without -v', () => {
    expect(numbersIn(readText('ok  \texample.com/a\t0.002s\n', ['go']))).toBe(none)
    const some = 'ok  \texample.com/a\t0.002s\n?   \texample.com/b\t[no test files]\n'
    expect(numbersIn(readText(some, ['go']))).toBe(none)
    expect(numbersIn(readText(recorded('go.txt'), ['go']))).toEqual([0, 3, 1, 0])
  })
})

describe('given a test that prints a summary of its own', () => {
  const real = ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n'
  const fake = ' Test Files  9 passed (9)\n      Tests  12 passed (12)\n'

  it('believes the last one of a runner that ran once', () => {
    expect(numbersIn(readText(fake + real, ['vitest']))).toEqual([1, 0, 0, 0])
  })
})

prop.prop([fc.string(), fc.constantFrom<TextRunner[]>('vitest', 'pytest', 'go', 'mocha')])(
  'never throws, whatever was printed',
  (text, runner) => {
    readText(text, [runner])
    readText(text, undefined)
  },
)

it.each(['\n', ' ', '\u001b[', '1..1\n', 'Tests: 1, Assertions: 1 ', '--- PASS: ', '1 passed, ', '[INFO] '])(
  'comes to an end over megabytes of %j',
  (text) => {
    expect(readText(text.repeat(4_000_000 / text.length), undefined)).toMatchObject({ kind: 'unreadable' })
  },
)
