import { expect, it } from 'vitest'
import { questionText } from './text-output.ts'

const change = (lines: number) =>
  `✗ adds (test/sum.test.js)\n--- test/sum.test.js\n+++ test/sum.test.js\n@@ -1,4 +1,4 @@\n${'-a\n+b\n'.repeat(lines / 2)}`

const question = (details: string, reason = 'npm test passes only with it') => ({
  id: `q-${'0'.repeat(32)}`,
  runId: '01M8MN8EC0DRGPYDA6Q05A1EBT',
  askedAtMs: 0,
  answer: null,
  isWithdrawn: false,
  subject: {
    kind: 'call' as const,
    callId: 'tamper-guard',
    tool: 'tamper guard',
    effect: 'write' as const,
    summary: 'allow the changes of the checks: test/sum.test.js',
    reason,
    details,
    scopes: { yes: ['once' as const], no: ['once' as const] },
  },
})

it('shows the failing test, the difference and what can be typed, with the whole id', () => {
  expect(questionText(question(change(2)), 'last').split('\n')).toEqual([
    `q-${'0'.repeat(32)}  allow the changes of the checks: test/sum.test.js`,
    '  run 01M8MN8EC0DRGPYDA6Q05A1EBT, since 1970-01-01T00:00:00.000Z: npm test passes only with it',
    '  | ✗ adds (test/sum.test.js)',
    '  | +++ test/sum.test.js',
    '  | @@ -1,4 +1,4 @@',
    '  | -a',
    '  | +b',
    `  donecheck approve q-${'0'.repeat(32)}`,
    `  donecheck approve deny q-${'0'.repeat(32)} --reason "why"`,
    '  or, to allow all that waits here: donecheck approve last',
  ])
})

it('fits on a screen of 24 lines, and says how much is left out', () => {
  const text = questionText(question(change(400), 'why '.repeat(400)), 'last')
  const rows = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / 80), 0)
  expect(rows).toBeLessThanOrEqual(24)
  expect(text).toContain('… 390 more lines: donecheck approve list --json, or the page')
})
