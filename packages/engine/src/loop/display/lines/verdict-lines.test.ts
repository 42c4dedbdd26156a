import { describe, expect, it } from 'vitest'
import type { FindingEvidence } from '@donecheck/core/internal/events/verdicts'
import { commandEvidence, failedVerdict } from '@donecheck/core/testing'
import { outputHint, verdictLines } from './verdict-lines.ts'

const textOf = (...args: Parameters<typeof verdictLines>) =>
  verdictLines(...args)
    .map(({ text }) => text)
    .join('\n')

const finding: FindingEvidence = {
  kind: 'finding',
  rule: 'tests.newly-skipped',
  response: 'ask',
  message: 'the test "adds" is skipped now',
  why: 'A skipped test proves nothing.',
  path: 'sum.test.ts',
  line: 7,
}

describe('given a failed check', () => {
  it('says what failed, where and why, each of it once', () => {
    const text = textOf(
      failedVerdict('tests', {
        reason: 'tests failed (exit 1): 1 of 3 tests failed, first: sum > adds (sum.test.ts:4)',
        evidence: [
          {
            kind: 'tests',
            format: 'junit',
            counts: { passed: 2, failed: 1, errored: 0, skipped: 0, total: 3 },
            failed: [{ name: 'sum > adds', file: 'sum.test.ts', line: 4, message: '4 is not 5' }],
            skipped: [],
          },
          commandEvidence({
            command: 'npm test',
            exitCode: 1,
            output: "code: 'ERR_ASSERTION',\nactual: 4\n",
          }),
        ],
      }),
    )
    expect(text.split('\n')).toEqual([
      '✗ tests failed (exit 1): 1 of 3 tests failed',
      '    ✗ sum > adds (sum.test.ts:4): 4 is not 5',
    ])
  })

  it('shows the end of an output that no report explains, without what npm advertises', () => {
    const output = 'one\ntwo\u001B[2J\n\nnpm notice\nnpm notice New major version of npm available!\n'
    const text = textOf(
      failedVerdict('lint', { evidence: [commandEvidence({ command: 'npm run lint', output })] }),
    )
    expect(text.split('\n').slice(1)).toEqual(['    $ npm run lint', '    | one', '    | two\u241B[2J'])
  })
})

describe('given a finding', () => {
  it('says the place, the rule, why it matters and how it is waived', () => {
    const text = textOf(failedVerdict('tamper guard', { evidence: [finding] }))
    expect(text).toContain('sum.test.ts:7 the test "adds" is skipped now [tests.newly-skipped: ask]')
    expect(text).toContain('A skipped test proves nothing.')
    expect(text).toContain('waive: [{ rule: "tests.newly-skipped", path: "sum.test.ts"')
  })
})

describe('given a red check without a report of tests', () => {
  it.each([
    [
      '\n> p@1.0 tset\nnpm error Missing script: "tset"\nnpm error A complete log is in …\n',
      'npm error Missing script: "tset"',
    ],
    ['src/a.ts\n  1:2  error  unused\n', '1:2 error unused'],
    ['first\nlast\n\n', 'last'],
  ])('of %j it shows the line that tells why', (output, hint) => {
    const verdict = failedVerdict('check', { evidence: [commandEvidence({ output })] })
    expect(outputHint(verdict).map(({ text }) => text)).toEqual([`    | ${hint}`])
  })
})
