import { describe, expect, it } from 'vitest'
import {
  checked,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  pending,
  runStarted,
} from '@donecheck/core/testing'
import { modelCalled, modelClaimed, runStopped } from '@donecheck/core/internal/testing/facts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import type { StopReason, StopTransition } from '@donecheck/core/internal/events/transitions'
import { explainRun, type RunContext } from '../index.ts'

interface End extends Partial<Omit<StopTransition, 'reason'>> {
  readonly reason: StopReason
}

function explained({ reason, ...end }: End, verdicts: readonly Verdict[], context: RunContext = {}) {
  const { state } = given(
    runStarted({
      caps: { maxIterations: 30 },
      verifiers: [...verdicts.map(({ verifier }) => verifier), 'never asked'],
    }),
    modelCalled(1),
    modelClaimed('Done.'),
    checked('claim', ...verdicts),
    runStopped(reason, end),
  )
  return explainRun(state, { name: 'last', ...context })
}

describe('given a run at a cap', () => {
  const explanation = explained({ reason: 'hard_cap', outcome: 'exhausted', cap: 'iterations' }, [
    erroredVerdict('types'),
    passedVerdict('build'),
    failedVerdict('npm test', {
      evidence: [
        {
          kind: 'tests',
          format: 'junit',
          counts: { passed: 1, failed: 1, errored: 0, skipped: 0, total: 2 },
          failed: [{ name: 'adds', file: 'cart.test.js', line: 2, message: '3 == 6' }],
          skipped: [],
        },
      ],
    }),
  ])

  it('then what is missing stands there with its evidence, failures first, and what was not asked too', () => {
    expect(explanation.missing.map(({ name, status }) => [name, status])).toEqual([
      ['npm test', 'failed'],
      ['types', 'error'],
      ['never asked', 'not-asked'],
    ])
    expect(explanation.missing[0]?.evidence).toEqual(['adds (cart.test.js:2): 3 == 6'])
    expect(explanation.passed).toEqual(['build'])
  })

  it('then what ran out can be added', () => {
    expect(explanation.next.map(({ command }) => command)).toEqual([
      'donecheck resume last --top-up turns=15',
      'donecheck show last',
    ])
  })
})

describe('given another end', () => {
  const firstCommand = (...given: Parameters<typeof explained>) => explained(...given).next[0]?.command

  it.each<[string, End, readonly Verdict[], string]>([
    ['verified', { reason: 'task_complete', outcome: 'verified' }, [], 'donecheck receipt last'],
    ['interrupted', { reason: 'user_interrupt', outcome: 'interrupted' }, [], 'donecheck resume last'],
    ['unverified', { reason: 'model_ended', outcome: 'unverified' }, [], 'donecheck run --dry-run'],
    ['going round in circles', { reason: 'loop_detected', outcome: 'exhausted' }, [], 'donecheck show last'],
    [
      'waiting for authority',
      { reason: 'awaiting_approval', outcome: 'blocked' },
      [pending('tamper guard')],
      'donecheck show last --changes',
    ],
  ])('%s, then the first command fits it', (_, end, verdicts, command) => {
    expect(firstCommand(end, verdicts)).toBe(command)
  })

  it('none yet, then it says so', () => {
    const { state } = given(runStarted({ verifiers: ['npm test'] }), modelCalled(1))
    expect(explainRun(state)).toMatchObject({
      end: null,
      next: [{ command: `donecheck resume ${state.runId}` }, {}],
    })
  })
})
