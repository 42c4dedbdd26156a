/** What a walk of chance begins with: settings of every kind, and a world that is like something. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fact } from '../../events/index.ts'
import {
  standardLoopDetection,
  standardStagnation,
  type ReplyCheckSettings,
  type SoftSettings,
} from '../../events/settings/index.ts'
import { replyDelivered, replyJudged } from '../../testing/facts.ts'
import { runStarted, standardJudgement, type RunChoices } from '../../testing/index.ts'
import type { Decision, Judgement } from '../decision.ts'
import { classicBounds, stagnation, tokenBudget } from '../../rules/soft-verifiers/index.ts'

/** What the world is like in a walk; chance alone would hardly ever be the same several times in a row. */
export interface World {
  readonly gate: 'mixed' | 'closed'
  readonly checks: 'mixed' | 'broken' | 'red'
}

const small = fc.option(fc.nat({ max: 8 }))
/** Turns are always bounded: a walk whose checks never pass has no other end. */
const caps = fc.record({
  maxIterations: fc.nat({ max: 10 }),
  maxModelCalls: small,
  maxToolCalls: small,
  maxTokens: fc.option(fc.nat({ max: 60_000 })),
  maxCostUsd: fc.option(fc.double({ min: 0, max: 0.3, noNaN: true })),
  maxWallClockMs: fc.option(fc.nat({ max: 4000 })),
})
const verifier = fc.record({
  required: fc.boolean(),
  deterministic: fc.boolean(),
  reads: fc.constantFrom('workspace', 'answer'),
})
const easilyDiminishing = { ...classicBounds, minContinuations: 1, diminishingTokens: 2000 }
const softTier: fc.Arbitrary<SoftSettings> = fc
  .record({
    patience: fc.integer({ min: 1, max: 4 }),
    budget: fc.option(fc.integer({ min: 500, max: 20_000 })),
  })
  .map(({ patience, budget }) => ({
    loopDetection: { ...standardLoopDetection, mode: 'off' },
    stagnation: { ...standardStagnation, patienceVerifications: patience },
    tokenBudget: budget === null ? null : { ...easilyDiminishing, mode: 'on', budgetTokens: budget },
  }))

const soft: fc.Arbitrary<SoftSettings | null> = fc.option(softTier)

const replyCheck: fc.Arbitrary<ReplyCheckSettings | null> = fc.option(
  fc.record({
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    trigger: fc.constantFrom('all' as const, { keywords: ['done'], negations: ['not'] }),
    onUndecided: fc.constantFrom('deliver' as const, 'withhold' as const),
    messagingTools: fc.constantFrom([], ['write_file']),
    streams: fc.constant(false),
    delivers: fc.boolean(),
    verifies: fc.constant(true),
  }),
)

export const runChoices: fc.Arbitrary<RunChoices> = fc.record({
  caps,
  verifiers: fc
    .array(verifier, { maxLength: 3 })
    .map((all) => all.map((one, index) => ({ name: `check ${index}`, ...one }))),
  completeWhen: fc.constantFrom('checks', 'checks-and-claim'),
  verifyWhen: fc.constantFrom('on-change-or-claim', 'every-turn', 'on-change', 'on-claim'),
  verifyAtCap: fc.boolean(),
  providerWaits: fc.record({ providerMs: fc.nat({ max: 4000 }), limitMs: fc.nat({ max: 4000 }) }),
  workFolder: fc.constantFrom('/srv/tree', null),
  drive: fc.record({ sideEffects: fc.boolean() }),
  finalSummary: fc.boolean(),
  soft,
  replyCheck,
})
export const worlds: fc.Arbitrary<World> = fc.record({
  gate: fc.constantFrom('mixed', 'mixed', 'closed'),
  checks: fc.constantFrom('mixed', 'mixed', 'broken', 'red'),
})
/** Everything that can end a run but the detectors of loops, which have walks of their own. */
export const walkJudgement: Judgement = {
  ...standardJudgement,
  rules: [...standardJudgement.rules, stagnation, tokenBudget],
}

/** The next of some numbers, over and over: all chance of a walk. */
export type Dice = (sides: number) => number

export function pick<Value>(dice: Dice, first: Value, ...rest: readonly Value[]): Value {
  return [first, ...rest][dice(rest.length + 1)] ?? first
}

/** The judge says something or is broken off; now and then the process dies while the reply is handed on. */
export function factsOfReply(
  decision: Extract<Decision, { kind: 'judge-reply' | 'settle-reply' }>,
  dice: Dice,
): readonly Fact[] {
  if (decision.kind === 'settle-reply') {
    const settled: Fact = { type: 'reply-settled', ...decision.settled }
    const delivered = replyDelivered(pick(dice, 'delivered', 'failed', 'unknown'))
    return decision.settled.delivers ? [settled, delivered] : [settled]
  }
  const { attempt, maxAttempts } = decision
  const started: Fact = { type: 'reply-judging-started', attempt, maxAttempts }
  if (dice(20) === 0) return [started]
  const status = pick(dice, 'passed', 'failed', 'failed', 'error')
  return [started, replyJudged(attempt, { status, canRetry: dice(10) > 0 })]
}

describe('given the choices of a walk', () => {
  it('a run can be started with any of them, with and without a soft tier', () => {
    const started = fc
      .sample(runChoices, { numRuns: 200, seed: 3 })
      .map((choices) => runStarted(choices).settings)
    expect(new Set(started.map(({ soft: chosen }) => chosen === null))).toEqual(new Set([true, false]))
    expect(new Set(started.map(({ finalSummary }) => finalSummary))).toEqual(new Set([true, false]))
  })
})
