import { describe, expect, it } from 'vitest'
import { turnTokensOf, newTracker, type TokenBudgetTracker } from '../../state/index.ts'
import {
  standardLoopDetection,
  standardStagnation,
  type TokenBudgetSettings,
  standardTokenBudget,
} from '../../events/settings/index.ts'
import {
  begun,
  checked,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  standardJudgement,
  type Given,
  type RunChoices,
} from '../../testing/index.ts'
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
import { tokenBudget, tokenBudgetStep, problemOfTokenBudget } from './token-budget.ts'
import fc from 'fast-check'

const judgement = { rules: [...standardJudgement.rules, tokenBudget] }

function held(settings: Partial<TokenBudgetSettings> = {}, choices: RunChoices = {}): RunChoices {
  const budget = { ...standardTokenBudget, mode: 'on' as const, budgetTokens: 10_000, ...settings }
  return {
    soft: {
      loopDetection: { ...standardLoopDetection, mode: 'off' },
      stagnation: { ...standardStagnation, mode: 'off' },
      tokenBudget: budget,
    },
    ...choices,
  }
}

/** The agent stops by itself after this many output tokens. */
function claims(turn: number, outputTokens: number) {
  return [modelCalled(turn), modelReplied({ text: 'I am done.', usage: tokens(100, outputTokens) })]
}

/** Turns in which the agent claimed and was sent on. */
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

describe('given a run without checks, and an agent that ends its turn by itself', () => {
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
})

describe('given a run with a check', () => {
  const begins = given(
    begun(held({}, { verifiers: ['tests'] }), failedVerdict('tests')),
    workspaceObserved('tree-0'),
  )
  const claimsOn = (run: Given, turn: number, output: number, tree: string) =>
    run.and(claims(turn, output), workspaceObserved(tree))

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
})

const startedMs = 1000
const fresh = newTracker(startedMs)

function ask(tracker: TokenBudgetTracker, turnTokens: number, budgetTokens = 10_000) {
  return tokenBudgetStep(tracker, { budgetTokens, turnTokens, nowMs: 4000 })
}

/** A tracker that was sent on at these counts of tokens. */
function sentOnAt(...turnTokens: readonly number[]): TokenBudgetTracker {
  return turnTokens.reduce((tracker, tokens) => ask(tracker, tokens, 1_000_000).tracker, fresh)
}

/** What is asked after these counts, the last one included. */
function decisions(
  turnTokens: readonly number[],
  bounds: Omit<TokenBudgetSettings, 'budgetTokens'>,
  budgetTokens = 1_000_000,
) {
  let tracker = fresh
  return turnTokens.map((tokens) => {
    const step = tokenBudgetStep(tracker, { budgetTokens, turnTokens: tokens, nowMs: 4000 }, bounds)
    tracker = step.tracker
    return step.decision.kind
  })
}

describe('given a share of the budget', () => {
  it('goes on just below 90 %, and says the percent, rounded', () => {
    expect(ask(fresh, 8999).decision).toEqual({
      kind: 'continue',
      continuations: 1,
      percent: 90,
      turnTokens: 8999,
      budgetTokens: 10_000,
    })
  })

  it('stops at exactly 90 %', () => {
    expect(ask(fresh, 9000).decision).toEqual({ kind: 'stop', completion: null })
  })

  it('reports what it came to once it was sent on', () => {
    expect(ask(sentOnAt(1000), 9500).decision).toEqual({
      kind: 'stop',
      completion: {
        continuations: 1,
        percent: 95,
        turnTokens: 9500,
        budgetTokens: 10_000,
        isDiminishing: false,
        durationMs: 3000,
      },
    })
  })
})

describe('given rounds that bring little, as the rule is copied', () => {
  it('the third time cannot be diminishing: it was sent on twice only', () => {
    expect(ask(sentOnAt(1, 2), 3).decision).toMatchObject({ kind: 'continue', continuations: 3 })
  })

  it('the fourth time is', () => {
    expect(ask(sentOnAt(1, 2, 3), 4).decision).toMatchObject({
      kind: 'stop',
      completion: { isDiminishing: true, continuations: 3, percent: 0 },
    })
  })

  it.each([
    ['the last round', [4000, 4100, 4200], 4700],
    ['the round before it', [4000, 4100, 4600], 4700],
  ])('a round of exactly 500 is not small: %s', (_, before, turnTokens) => {
    expect(ask(sentOnAt(...before), turnTokens).decision.kind).toBe('continue')
  })

  it('499 is', () => {
    expect(ask(sentOnAt(4000, 4100, 4599), 5098).decision.kind).toBe('stop')
  })
})

describe('given any rounds', () => {
  const rounds = fc.array(fc.nat({ max: 1500 }), { minLength: 1, maxLength: 25 })
  const totals = rounds.map((all) => all.map((_, index) => all.slice(0, index + 1).reduce((a, b) => a + b)))

  /** The rule exactly as in the sources. */
  function classic(all: readonly number[], budget: number): readonly string[] {
    let [count, lastDelta, last] = [0, 0, 0]
    return all.map((turn) => {
      const delta = turn - last
      const isDiminishing = count >= 3 && delta < 500 && lastDelta < 500
      if (isDiminishing || turn >= budget * 0.9) return 'stop'
      count += 1
      lastDelta = delta
      last = turn
      return 'continue'
    })
  }

  it('decides as the copied rule', () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 1, max: 30_000 }), (all, budget) => {
        expect(decisions(all, standardTokenBudget, budget)).toEqual(classic(all, budget))
      }),
    )
  })

  it('comes to the same from a tracker that was saved', () => {
    fc.assert(
      fc.property(totals, (all) => {
        let [tracker, saved] = [fresh, fresh]
        for (const turnTokens of all) {
          const input = { budgetTokens: 20_000, turnTokens, nowMs: 4000 }
          const step = tokenBudgetStep(tracker, input)
          expect(tokenBudgetStep(saved, input)).toEqual(step)
          tracker = step.tracker
          saved = JSON.parse(JSON.stringify(step.tracker)) as TokenBudgetTracker
        }
      }),
    )
  })
})

const heldAt = (budgetTokens: number) => ({ ...standardTokenBudget, budgetTokens })

describe('given a token budget', () => {
  it('one that is smaller than a round that brings little is refused', () => {
    expect(problemOfTokenBudget(heldAt(400), { maxTokens: null })).toContain(
      'every round would be called diminishing',
    )
  })

  it('one that no agent could ever reach under the caps is refused', () => {
    expect(problemOfTokenBudget(heldAt(20_000), { maxTokens: 17_999 })).toContain(
      'the cap on tokens is 17999',
    )
    expect(problemOfTokenBudget(heldAt(20_000), { maxTokens: 18_000 })).toBeUndefined()
  })
})
