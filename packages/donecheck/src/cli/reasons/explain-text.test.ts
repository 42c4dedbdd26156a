/** Every explanation fits on one screen. */
import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { Explanation } from '@donecheck/engine/display'
import { outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'
import { capNames } from '@donecheck/core/internal/budgets'
import { explanationLines } from './reasons-text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 400 })
const manyTexts = fc.array(anyText, { maxLength: 20 })
const explanations: fc.Arbitrary<Explanation> = fc.record({
  runId: fc.constant('01M8BRTQWV5TM9Y97S3YNY5VVB'),
  kind: fc.constantFrom('run', 'verification', 'session'),
  task: anyText,
  by: anyText,
  end: fc.option(
    fc.record({
      outcome: fc.constantFrom(...outcomes),
      reason: fc.constantFrom(...stopReasons),
      message: anyText,
      cap: fc.constantFrom(...capNames),
      exitCode: fc.nat(130),
    }),
  ),
  turns: fc.nat(),
  missing: fc.array(
    fc.record({
      name: anyText,
      status: fc.constantFrom('failed', 'error', 'pending', 'skipped', 'not-asked'),
      reason: anyText,
      evidence: manyTexts,
    }),
    { maxLength: 10 },
  ),
  openParts: manyTexts,
  passed: manyTexts,
  spent: fc.record({
    durationMs: fc.nat(),
    tokens: fc.option(fc.nat()),
    isEstimated: fc.boolean(),
    costUsd: fc.option(fc.float({ min: 0, max: 1000, noNaN: true })),
    checksCostUsd: fc.constantFrom(0, 0.5),
    caps: fc.array(
      fc.record({ cap: fc.constantFrom(...capNames), used: fc.nat(), limit: fc.nat(), words: anyText }),
      { maxLength: 12 },
    ),
  }),
  next: fc.array(
    fc.record({
      command: fc.constant('donecheck resume last --top-up turns=45'),
      why: fc.constantFrom('goes on with more', 'x'.repeat(90)),
    }),
    { minLength: 1, maxLength: 5 },
  ),
})

describe('given any explanation', () => {
  test.prop([explanations])('then it fits on a screen of 80 columns and 24 lines', (explanation) => {
    const lines = explanationLines(explanation, 80).map(({ text }) => text)
    expect(lines.length).toBeLessThan(24)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test.prop([explanations])('then nothing of it moves a cursor or breaks a line', (explanation) => {
    for (const { text } of explanationLines(explanation, 80))
      // eslint-disable-next-line no-control-regex -- control characters are what must not be there
      expect(text).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
  })
})

it('given a run at its cap, then a person reads why, what is missing, what it cost and what to type', () => {
  const explanation: Explanation = {
    runId: '01M8BRTQWV5TM9Y97S3YNY5VVB',
    kind: 'run',
    task: 'Fix the failing test.',
    by: 'claude',
    end: { outcome: 'exhausted', reason: 'hard_cap', message: '…', cap: 'iterations', exitCode: 3 },
    turns: 2,
    missing: [
      {
        name: 'npm test',
        status: 'failed',
        reason: 'npm test failed (exit 1)',
        evidence: ['adds (cart.test.js:2): 3 == 6', 'subtracts'],
      },
    ],
    openParts: [],
    passed: ['lint'],
    spent: {
      durationMs: 2_700,
      tokens: null,
      isEstimated: false,
      costUsd: null,
      checksCostUsd: 0,
      caps: [{ cap: 'iterations', used: 2, limit: 2, words: '2 of 2 turns' }],
    },
    next: [
      { command: 'donecheck resume last --top-up turns=1', why: 'goes on with more' },
      { command: 'donecheck show last', why: 'the whole timeline' },
    ],
  }
  expect(explanationLines(explanation, 120).map(({ text }) => text)).toEqual([
    'run 01M8BRTQWV5TM9Y97S3YNY5VVB · claude: Fix the failing test.',
    '→ exhausted after 2 turns (hard_cap, exit 3)',
    '  No further turn was allowed.',
    'What is missing',
    '  ✗ npm test failed (exit 1)',
    '      adds (cart.test.js:2): 3 == 6',
    '  ✓ passed: lint',
    'What it cost',
    '  2 turns · 2.7 s · tokens unknown · price unknown',
    '  caps: 2 of 2 turns',
    'What to type next',
    '  donecheck resume last --top-up turns=1  # goes on with more',
    '  donecheck show last                     # the whole timeline',
  ])
})
