import { describe, expect, it } from 'vitest'
import { turnTokensOf } from '../../state/index.ts'
import {
  standardLoopDetection,
  standardStagnation,
  type TokenBudgetSettings,
} from '../../events/settings/index.ts'
import {
  begun,
  checked,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  standardJudgement,
} from '../../testing/index.ts'
import type { Given, RunChoices } from '../../testing/index.ts'
import {
  goalSet,
  modelCalled,
  modelReplied,
  subRunEnded,
  subRunStarted,
  tokens,
  toolCalled,
  turnEnded,
  workspaceObserved,
  finalSummaryReplied,
} from '../../testing/facts.ts'
import { classicBounds, tokenBudget } from './token-budget.ts'

const judgement = { rules: [...standardJudgement.rules, tokenBudget] }

function held(settings: Partial<TokenBudgetSettings> = {}, choices: RunChoices = {}): RunChoices {
  const budget = { ...classicBounds, mode: 'on' as const, budgetTokens: 10_000, ...settings }
  return {
    soft: {
      loopDetection: { ...standardLoopDetection, mode: 'off' },
      stagnation: { ...standardStagnation, mode: 'off' },
      tokenBudget: budget,
    },
    ...choices,
  }
}

/** The drive ends its turn by itself, after so many output tokens. */
function claims(turn: number, outputTokens: number) {
  return [modelCalled(turn), modelReplied({ text: 'I am done.', usage: tokens(100, outputTokens) })]
}

/** Turns in which the drive claimed and was sent on. */
function sentOn(
  before: Given,
  outputs: readonly number[],
  reason: 'nudge_budget_left' | 'verifier_feedback',
) {
  return outputs.reduce(
    (run, output, index) => run.and(claims(index + 1, output), turnEnded(index + 1, 'go on', reason)),
    before,
  )
}

describe('given a run without checks, and a drive that ends its turn by itself', () => {
  const begins = given(runStarted(held({}, { workFolder: null })), goalSet())

  it('is sent on below 90 %, and told how much is used', () => {
    begins
      .and(claims(1, 3400))
      .whenDecided(judgement)
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'nudge_budget_left' } })
      .whenDecided(judgement)
      .then((decision) => {
        const feedback = decision.kind === 'continue' ? decision.feedback : ''
        expect(feedback).toContain('34% of the token budget for this task (3400 of 10000 output tokens)')
        expect(feedback).toContain('Keep working on it; do not summarise.')
      })
  })

  it('may stop at 90 %: its claim counts as it does without a budget', () => {
    begins
      .and(claims(1, 9000))
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } })
  })

  it('may stop when its rounds bring little, and what the budget came to is noted', () => {
    const run = sentOn(begins, [100, 100, 100], 'nudge_budget_left').and(claims(4, 100))
    run.whenDecided(judgement).then({
      kind: 'note',
      finding: {
        rule: 'token_budget',
        level: 'note',
        numbers: { continuations: 3, percent: 4, diminishing: 1 },
      },
    })
    run
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'model_ended' } })
  })

  it('is not asked while it works', () => {
    begins
      .and(modelCalled(1), modelReplied({ toolCalls: [], finish: 'length', usage: tokens(100, 3) }))
      .whenDecided(judgement)
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'max_output_recovery' } })
  })

  it('is not held where it does not say what it uses', () => {
    const silent = held({}, { workFolder: null, drive: { reportsUsage: false } })
    given(runStarted(silent), goalSet(), claims(1, 10))
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'model_ended' } })
  })

  it('a cap goes before the nudge', () => {
    const capped = held({}, { workFolder: null, caps: { maxIterations: 1 } })
    given(runStarted(capped), goalSet(), claims(1, 10))
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'hard_cap', cap: 'iterations' } })
  })
})

describe('given a run with a check', () => {
  const begins = given(
    begun(held({}, { verifiers: ['tests'] }), failedVerdict('tests')),
    workspaceObserved('tree-0'),
  )
  const claimsOn = (run: Given, turn: number, output: number, tree: string) =>
    run.and(claims(turn, output), workspaceObserved(tree))

  it('a verified run is not kept going', () => {
    claimsOn(begins, 1, 100, 'tree-1')
      .and(checked('claim', passedVerdict('tests')), workspaceObserved('tree-1'))
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'task_complete' } })
  })

  it('what failed checks say takes the place of the nudge, and counts as sending it on', () => {
    const run = claimsOn(begins, 1, 100, 'tree-1').and(checked('claim', failedVerdict('tests')))
    run.whenDecided(judgement).then((decision) => {
      if (decision.kind !== 'continue') throw new Error(decision.kind)
      expect(decision.transition.reason).toBe('verifier_feedback')
      expect(decision.feedback).not.toContain('token budget')
    })
    expect(run.and(turnEnded(1, 'mend it', 'verifier_feedback')).state.tokenBudget.tracker).toMatchObject({
      continuations: 1,
      lastTurnTokens: 100,
    })
  })

  it('ends as diminishing when the rounds bring little and it is still open', () => {
    const run = sentOn(begins, [100, 100, 100], 'verifier_feedback')
    claimsOn(run, 4, 100, 'tree-4')
      .and(checked('claim', failedVerdict('tests')), workspaceObserved('tree-4'))
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'diminishing', outcome: 'exhausted', lastCheck: 'run' } })
  })

  it('goes on with large rounds, also above the budget', () => {
    const run = sentOn(begins, [4000, 4000, 4000], 'verifier_feedback')
    claimsOn(run, 4, 4000, 'tree-4')
      .and(checked('claim', failedVerdict('tests')), workspaceObserved('tree-4'))
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'verifier_feedback' } })
  })

  it('a claim over checks that were green before is sent on where it would have ended the run', () => {
    const green = given(
      begun(held({}, { verifiers: ['tests'] }), passedVerdict('tests')),
      workspaceObserved('tree-0'),
    )
    const first = green.and(
      claims(1, 10),
      checked('claim', passedVerdict('tests')),
      workspaceObserved('tree-0'),
    )
    first
      .whenDecided(judgement)
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'verifier_feedback' } })
    first
      .and(turnEnded(1), claims(2, 10), checked('claim', passedVerdict('tests')), workspaceObserved('tree-0'))
      .whenDecided(judgement)
      .then({ kind: 'continue', transition: { kind: 'continue', reason: 'nudge_budget_left' } })
  })
})

describe('given what counts', () => {
  const begins = given(runStarted(held({}, { workFolder: null })), goalSet())

  it('all output of the task counts, that of sub-runs too', () => {
    const run = begins.and(
      modelCalled(1),
      modelReplied({
        usage: tokens(100, 30),
        toolCalls: [{ callId: 'c', tool: 'delegate', args: {}, argsDigest: '' }],
      }),
      toolCalled('c', 'execute', 'delegate'),
      subRunStarted('child', 'c'),
      subRunEnded('child', { outputTokens: 70 }),
    )
    expect(turnTokensOf(run.state)).toBe(100)
  })

  it('a final summary does not, nor what was spent before the task', () => {
    const run = begins.and(claims(1, 30), finalSummaryReplied('Half is done.', { usage: tokens(100, 500) }))
    expect(turnTokensOf(run.state)).toBe(30)
    expect(turnTokensOf(run.and(goalSet('another task')).state)).toBe(0)
    expect(run.and(goalSet('another task')).state.tokenBudget.tracker.continuations).toBe(0)
  })
})

describe('given the mode shadow', () => {
  const settings = held({ mode: 'shadow' }, { workFolder: null })

  it('sends nobody on: the claim counts as without a budget', () => {
    given(runStarted(settings), goalSet(), claims(1, 3400))
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'model_ended' } })
  })

  it('records an end that it would bring about', () => {
    const withCheck = held({ mode: 'shadow' }, { verifiers: ['tests'] })
    const begins = given(begun(withCheck, failedVerdict('tests')), workspaceObserved('tree-0'))
    const run = sentOn(begins, [1, 1, 1], 'verifier_feedback')
      .and(claims(4, 1), workspaceObserved('tree-4'), checked('claim', failedVerdict('tests')))
      .afterNotes(judgement)
    expect(run.state.noted).toContain('shadow:token_budget:note:stop:')
    run.whenDecided(judgement).then({ kind: 'continue' })
  })

  it('off says nothing at all', () => {
    given(runStarted(held({ mode: 'off' }, { workFolder: null })), goalSet(), claims(1, 3400))
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'model_ended' } })
  })
})
