import { describe, expect, it } from 'vitest'
import type { StopTransition } from '../../events/transitions/index.ts'
import type { CapName, Caps } from '../../budgets/index.ts'
import {
  begun,
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  skippedVerdict,
} from '../../testing/index.ts'
import { howToGoOn, programSummary } from '../final-summary.ts'

function ended(details: Partial<StopTransition> = {}): StopTransition {
  const base = { outcome: 'exhausted', message: '', findings: [], verdicts: [] } as const
  return { ...base, reason: 'stagnated', ...details, kind: 'stop' }
}

describe('given a run that its record tells of', () => {
  const verifiers = [
    'lint',
    'tests',
    'types',
    { name: 'style', required: false },
    { name: 'secret', role: 'held-out' as const },
    { name: 'guard', role: 'guard' as const },
  ]
  const { state } = given(
    begun({ verifiers, caps: { maxIterations: 4 } }, failedVerdict('lint'), failedVerdict('tests')),
  )
    .and(edited(1, 'tree-1'))
    .and(
      checked(
        'change',
        passedVerdict('lint'),
        failedVerdict('tests', { reason: '2 of 9\n  tests failed' }),
        skippedVerdict('types'),
        failedVerdict('style'),
        failedVerdict('secret'),
        passedVerdict('guard'),
      ),
    )

  it('says what is done, what is left and how to go on', () => {
    expect(programSummary(state, ended({ reason: 'hard_cap', cap: 'iterations' }))).toBe(
      [
        'Done: these checks pass: lint; the work was changed in 1 turn with 1 tool call.',
        'Left: tests (failed: 2 of 9 tests failed).',
        'How to go on: donecheck resume run-1 --top-up turns=2',
      ].join('\n'),
    )
  })

  it('says nothing of what was held out', () => {
    expect(programSummary(state, ended())).not.toContain('secret')
  })
})

describe('given a run of which there is nothing to tell', () => {
  it('says so', () => {
    expect(programSummary(given(begun()).state, ended())).toBe(
      [
        'Done: no required check passes; the work is as it was in 0 turns with 0 tool calls.',
        'Left: nothing that a check knows of; the task itself was not confirmed as done.',
        'How to go on: start a new run that says what was tried and what to try instead; the work is as this run left it.',
      ].join('\n'),
    )
  })
})

describe('given many open checks with long reasons', () => {
  it('is bounded', () => {
    const names = Array.from({ length: 40 }, (_, index) => `check ${index}`)
    const verdicts = names.map((name) => failedVerdict(name, { reason: 'x'.repeat(5000) }))
    const { state } = given(begun({ verifiers: names }, ...verdicts))
    const summary = programSummary(state, ended())
    expect(summary).toContain('and 35 checks more')
    expect(summary.length).toBeLessThan(2500)
  })
})

describe('given a cap', () => {
  const caps: Partial<Caps> = {
    maxIterations: 9,
    maxCostUsd: 0.5,
    maxWallClockMs: 600_000,
    maxTokens: 1001,
  }
  const { state } = given(runStarted({ caps }))

  it.each<[CapName, string]>([
    ['iterations', 'turns=5'],
    ['cost', 'cost-usd=0.25'],
    ['wall_clock', 'seconds=300'],
    ['tokens', 'tokens=501'],
  ])('the way on is half as much again: %s', (cap, words) => {
    expect(howToGoOn(state, ended({ reason: 'hard_cap', cap }))).toBe(
      `donecheck resume run-1 --top-up ${words}`,
    )
  })

  it('a part of another run is not resumed by itself', () => {
    const child = given({ ...runStarted({ caps }), parent: { runId: 'parent', callId: 'c' } }).state
    expect(howToGoOn(child, ended({ reason: 'hard_cap', cap: 'iterations' }))).toContain(
      'the run that it is a part of',
    )
  })
})
