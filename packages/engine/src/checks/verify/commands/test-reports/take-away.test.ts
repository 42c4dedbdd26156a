/** What runners really print at the end, and what that takes away from exit code 0. */
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { withoutReport } from './ask-for-report.ts'
import { findRunner } from './find-runner.ts'
import { takeReport } from './take-report.ts'

/** Passed, failed or errored, skipped; a refusal; or `unread`: exit code 0 stands. */
async function judged(line: string, output: string) {
  const asked = withoutReport(line, findRunner(line, tmpdir()))
  const remains = { folder: tmpdir(), exitCode: 0, startedMs: 0, stdout: output, shown: output }
  const { reading, refusal } = await takeReport(asked, remains)
  if (refusal !== undefined) return refusal
  if (reading.kind === 'unreadable') return 'unread'
  const { passed, failed, errored, skipped } = reading.report.counts
  return [passed, failed + errored, skipped]
}

const none = [0, 0, 0]

describe('given a runner that ran nothing', () => {
  it.each([
    ['ctest', 'ctest --test-dir build', 'Test project /srv/build\nNo tests were found!!!\n', none],
    ['meson', 'meson test -C b', 'ninja: no work to do.\nNo tests defined.\n', none],
    ['meson', 'meson test --suite x', 'ninja: no work to do.\nNo suitable tests defined.\n', none],
    ['prove', 'prove t', 'Files=0, Tests=0,  0 wallclock secs ( 0.00 usr)\nResult: NOTESTS\n', none],
    ['go', 'make test', 'ok  \tx/a\t0.059s [no tests to run]\n?   \tx/b\t[no test files]\n', none],
    [
      'prove, all skipped',
      'prove t',
      't/a.t .. skipped: no\nFiles=1, Tests=0,  1 wallclock secs\nResult: NOTESTS\n',
      none,
    ],
    [
      'minitest',
      'rake test',
      'Run options: --seed 4\n\n# Running:\n\n\n\nFinished in 0.003429s, 0.0000 runs/s, 0.0000 assertions/s.\n\n0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n',
      none,
    ],
    ['mix', 'mix test', 'Generated x app\nThere are no tests to run\n', none],
    ['mocha', 'make test', '\n\n  0 passing (1ms)\n\n', none],
    ['uvu', 'uvu t', '\n  Total:     0\n  Passed:    0\n  Skipped:   0\n  Duration:  0.45ms\n', none],
    ['deno', 'deno test', 'running 0 tests from ./d.test.ts\n\nok | 0 passed | 0 failed (55ms)\n', none],
    [
      'bun, all skipped',
      'bun test',
      'bun test v1.4.5 (a7733435c)\n\nb.test.ts:\n(skip) a\n\n 0 pass\n 1 skip\n 0 fail\nRan 1 test across 1 file. [169.00ms]\n',
      [0, 0, 1],
    ],
    ['Tcl', 'tclsh all.tcl', 'Tests ended\nall.tcl:\tTotal\t0\tPassed\t0\tSkipped\t0\tFailed\t0\n', none],
    ['Maven', './mvnw -q verify', '[INFO] No tests to run.\n', none],
  ])('says so: %s', async (_, line, output, counts) => {
    expect(await judged(line, output)).toEqual(counts)
  })

  it('is not undone by a second one that did, and does not undo it', async () => {
    const output = '\n  0 passing (1ms)\n\n> next\n\n===== 3 passed in 0.10s =====\n'
    expect(await judged('make test', output)).toEqual([3, 0, 0])
  })
})

describe('given a runner that starts and does not end', () => {
  const refused = (runner: string) => `${runner} ended before it printed how many tests it had run`

  it.each([
    ['unittest', 'python3 -m unittest', 'F'],
    ['minitest', 'ruby test/a_test.rb', 'Run options: --seed 58113\n\n# Running:\n\n.'],
    ['minitest', 'rake test', 'Loaded suite test/a_test\nStarted\n.'],
    ['pytest', 'make test', '======= test session starts =======\ncollected 2 items\n\na.py .'],
    ['phpunit', 'make test', 'PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n.'],
    ['bun', 'bun test', 'bun test v1.4.5 (a7733435c)\n\nb.test.ts:\n(pass) a [0.28ms]\n'],
    ['exunit', 'mix test', 'Running ExUnit with seed: 1, max_cases: 4\n\n.'],
    [
      'cargo',
      'cargo test',
      '\nrunning 2 tests\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n',
    ],
    [
      'ctest',
      'make test',
      'Running tests...\nTest project /b\n    Start 1: a\n1/1 Test #1: a ....***Not Run (Disabled)   0.00 sec\n',
    ],
  ])('is refused: %s, by %s', async (runner, line, output) => {
    expect(await judged(line, output)).toBe(refused(runner))
  })

  it('is not refused where its words go into a file', async () => {
    expect(await judged('python3 -m unittest > log.txt 2>&1', '')).toBe('unread')
  })
})

describe('given a runner whose failures the exit code hides', () => {
  it.each([
    [
      'Tcl',
      'tclsh a.test',
      '==== a-2 FAILED\n\na.test:\tTotal\t2\tPassed\t1\tSkipped\t0\tFailed\t1\n',
      [1, 1, 0],
    ],
    [
      'go, whose main ends with 0',
      'make test',
      '--- FAIL: TestF (0.00s)\nFAIL\nok  \tx/a\t0.018s\n',
      [0, 1, 0],
    ],
    ['ctest', 'make test', 'Test project /b\n\n50% tests passed, 1 tests failed out of 2\n', [1, 1, 0]],
    [
      'meson',
      'make test',
      'Ok:                 1   \nExpected Fail:      0   \nFail:               1   \nUnexpected Pass:    0   \nSkipped:            0   \nTimeout:            0   \n',
      [1, 1, 0],
    ],
  ])('finds them: %s', async (_, line, output, counts) => {
    expect(await judged(line, output)).toEqual(counts)
  })
})

describe('given honest output that holds the words of another run', () => {
  const pytest = '===== test session starts =====\ncollected 3 items\n'

  it.each([
    [
      'a suite that runs pytest inside',
      'make test',
      `${pytest}\ntest_a.py ===== test session starts =====\ncollected 1 item\n===== 1 failed in 0.10s =====\n\n===== 3 passed in 0.50s =====\n`,
      [3, 0, 0],
    ],
    [
      'a suite that begins another one and kills it',
      'make test',
      `${pytest}\n# Running:\n\n.\n===== 3 passed in 0.50s =====\n`,
      [3, 0, 0],
    ],
    [
      'a suite that tests a TAP producer',
      'make test',
      '1..2\nok 1\nnot ok 2\n\n\n  2 passing (5ms)\n\n',
      [2, 0, 0],
    ],
    [
      'a suite of node:test that tests a TAP producer',
      'make test',
      '1..1\nnot ok 1\n✔ a (0.5ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 9\n',
      [1, 0, 0],
    ],
    [
      'a suite that prints the end of another runner',
      'make test',
      '===== 1 failed, 2 passed in 0.10s =====\n\n  2 passing (5ms)\n\n',
      [2, 0, 0],
    ],
    [
      'a log that says 0 passing, and a lot after it',
      'node test.js',
      `  0 passing (1ms)\n${'step is fine\n'.repeat(20)}`,
      'unread',
    ],
    ['a log of failures', 'node test.js', 'FAILED to connect, as expected\n1 failed\nall good\n', 'unread'],
    ['several projects with a prefix', 'turbo run test', 'web:test: Tests  0 passed\n', 'unread'],
    ['packages without a count', 'make test', 'ok  \tx/a\t0.018s\n?   \tx/b\t[no test files]\n', 'unread'],
    ['lines of prove -v', 'prove -v t', '1..1\nok 1\nok\nFiles=1, Tests=1,  1 s\nResult: PASS\n', [1, 0, 0]],
  ])('takes nothing away: %s', async (_, line, output, counts) => {
    expect(await judged(line, output)).toEqual(counts)
  })
})

describe('given TAP of several programs', () => {
  it.each([
    ['plans at the end', 'ok 1 - a\nok 2 - b\n1..2\nnot ok 1 - c\n1..1\n', [2, 1, 0]],
    ['plans at the start', '1..1\nok 1\n1..2\nok 1\nnot ok 2\n', [2, 1, 0]],
    ['versions', 'TAP version 13\n1..1\nok 1\nTAP version 13\n1..1\nnot ok 1\n', [1, 1, 0]],
    ['points without numbers', '1..2\nok - a\nok - b\nok - c\nnot ok - d\n1..2\n', [3, 1, 0]],
    ['one that ends before its plan', '1..1\nok 1\n1..3\nok 1\n', [2, 1, 0]],
    ['one that skips all', '1..0 # SKIP no network\n1..1\nok 1\n', [1, 0, 0]],
    ['all is well', '1..2\nok 1\nok 2\nok 1\nok 2\n1..2\n1..1\nok 1 - a\n', [5, 0, 0]],
  ])('reads each to its end: %s', async (_, output, counts) => {
    expect(await judged('make test', output)).toEqual(counts)
  })
})
