/** Generators of facts of goals; ids come from a small set, so that changes meet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitEnd, type GoalChange, type SubGoal, type SubGoalBudget } from '../../goal/index.ts'
import { isGoalFact, type GoalFact, deliveryStatus, replyEnding, replySkip } from '../../events/index.ts'
import { hookEffects, hookPoints, isReportedAtOnce, refusalLabels } from '../../events/gate/index.ts'
import { amounts, capTable } from '../../budgets/index.ts'
import type { StopCause, Transition, VerdictLine } from '../../events/transitions/index.ts'

const text = fc.string({ maxLength: 40, unit: 'grapheme' })
const filled = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' })
const partId = fc.constantFrom('api', 'docs', 'tests')
const checks = fc.array(fc.record({ name: fc.constantFrom('unit', 'lint', 'docs'), command: filled }), {
  maxLength: 2,
})

const bound = fc.integer({ min: 1, max: 10_000 })
const budget: fc.Arbitrary<SubGoalBudget> = fc.record(
  { turns: bound, tokens: bound, costUsd: bound, activeMs: bound },
  { requiredKeys: [] },
)

const subGoal: fc.Arbitrary<SubGoal> = fc.record(
  {
    id: partId,
    title: filled,
    parentId: fc.option(partId),
    checks: fc.array(fc.constantFrom('unit', 'lint'), { maxLength: 2 }),
    after: fc.array(partId, { maxLength: 2 }),
    isProposed: fc.boolean(),
    budget,
  },
  { requiredKeys: ['id', 'title', 'parentId', 'checks', 'after', 'isProposed'] },
)

export const goalChange: fc.Arbitrary<GoalChange> = fc.oneof(
  fc.record({
    kind: fc.constant('replaced'),
    goalId: fc.constantFrom('goal-2', 'goal-3'),
    objective: filled,
  }),
  fc.record({ kind: fc.constant('objective-edited'), objective: filled }),
  fc.record({ kind: fc.constant('sub-goal-added'), subGoal, checks }),
  fc.record(
    { kind: fc.constant('sub-goal-edited'), id: partId, title: filled, budget },
    { requiredKeys: ['kind', 'id'] },
  ),
  fc.record({ kind: fc.constant('sub-goal-over-budget'), id: partId, reason: text }),
  fc.record({ kind: fc.constant('checks-added'), checks }),
  fc.record({ kind: fc.constant('paused'), reason: text }),
  fc.record({ kind: fc.constant('message-given'), text: filled }),
  fc.constant({ kind: 'resumed' } as const),
  fc.constant({ kind: 'cleared' } as const),
  fc.record({
    kind: fc.constant('wait-began'),
    awaited: fc.oneof(
      fc.record(
        { kind: fc.constant('process'), processId: fc.nat(), processStart: fc.option(text), host: text },
        { requiredKeys: ['kind', 'processId', 'processStart'] },
      ),
      fc.record({ kind: fc.constant('run'), runId: filled }),
      fc.constant({ kind: 'time' } as const),
    ),
    expiresAtMs: fc.nat(),
    reason: text,
  }),
  fc.record({ kind: fc.constant('blocker-reported'), blocker: filled }),
  fc.record({ kind: fc.constant('progress-reported'), progress: filled }),
  fc.constant({ kind: 'completion-requested' } as const),
)

const request = fc.integer({ min: 1, max: 9 })

const goalChanged = fc.record(
  { goalId: fc.constantFrom('run-1', 'goal-2'), by: text, change: goalChange, request },
  { requiredKeys: ['goalId', 'by', 'change'] },
)
const goalChangeRefused = fc.record(
  { by: text, kind: text, reason: text, request },
  { requiredKeys: ['by', 'kind', 'reason'] },
)
const agentSteered = fc.record({ goalId: text, text })
const goalSet = fc.record(
  { task: text, subGoals: fc.array(subGoal, { maxLength: 3 }), rules: text },
  { requiredKeys: ['task'] },
)
const goalWaitEnded = fc.record({ goalId: text, how: fc.constantFrom(...waitEnd.options) })

export const recalled = fc.record({
  occasion: fc.constantFrom('start' as const, 'failure'),
  facts: fc.array(fc.record({ id: text, text }), { maxLength: 2 }),
  text,
})

function fact<Type extends GoalFact['type'], Rest>(
  type: Type,
  rest: fc.Arbitrary<Rest>,
): fc.Arbitrary<{ type: Type } & Rest> {
  return rest.map((fields) => ({ type, ...fields }))
}

export const goalFactOfType = {
  'goal-set': fact('goal-set', goalSet),
  'goal-changed': fact('goal-changed', goalChanged),
  'goal-change-refused': fact('goal-change-refused', goalChangeRefused),
  'agent-steered': fact('agent-steered', agentSteered),
  'goal-wait-ended': fact('goal-wait-ended', goalWaitEnded),
}

describe('given generated facts of goals', () => {
  it('are told apart from all others', () => {
    fc.assert(
      fc.property(goalFactOfType['goal-changed'], (fact: GoalFact) => {
        expect(isGoalFact(fact)).toBe(true)
      }),
      { numRuns: 20 },
    )
    expect(isGoalFact({ type: 'run-stopped' })).toBe(false)
  })
})

export const failure = fc.record(
  {
    kind: fc.constantFrom(
      'rate-limited',
      'usage-limited',
      'server-error',
      'network',
      'cut-off',
      'refused',
      'timeout',
      'interrupted',
    ),
    message: fc.string(),
    retryable: fc.boolean(),
    retryAfterMs: fc.nat(),
    resetsAtMs: fc.nat(),
  },
  { requiredKeys: ['kind', 'message', 'retryable'] },
)

const callId = fc.constantFrom('a', 'b', 'c')
const gateKind = fc.constantFrom('allow', 'prompt', 'forbidden')

const ruleMatch = fc.record(
  {
    rule: text,
    decision: gateKind,
    source: text,
    words: fc.array(text, { maxLength: 3 }),
    span: fc.option(fc.tuple(fc.nat(50), fc.nat(50))),
    justification: text,
  },
  { requiredKeys: ['rule', 'decision', 'source', 'words', 'span'] },
)

export const gateDecided = fc.record(
  {
    callId,
    decision: gateKind,
    reason: text,
    label: fc.constantFrom(...refusalLabels),
    matches: fc.array(ruleMatch, { maxLength: 2 }),
    shadow: gateKind,
  },
  { requiredKeys: ['callId', 'decision', 'reason', 'matches'] },
)

export const hookRan = fc.record(
  {
    hook: text,
    point: fc.constantFrom(...hookPoints),
    order: fc.integer({ min: 1, max: 9 }),
    effect: fc.constantFrom(...hookEffects),
    callId,
    note: text,
    told: text,
  },
  { requiredKeys: ['hook', 'point', 'order', 'effect'] },
)

describe('given what a hook says to the agent', () => {
  it('only what stands before a reply is told at once', () => {
    expect(hookPoints.filter(isReportedAtOnce)).toEqual(['run_started', 'before_turn'])
  })
})

export const replySettled = fc.record(
  {
    ending: fc.constantFrom(...replyEnding.options),
    skip: fc.constantFrom(...replySkip.options),
    attempt: fc.integer({ min: 1, max: 4 }),
    text,
    message: text,
    delivers: fc.boolean(),
  },
  { requiredKeys: ['ending', 'attempt', 'text', 'message', 'delivers'] },
)

export const replyDelivered = fc.record(
  { status: fc.constantFrom(...deliveryStatus.options), problem: text },
  { requiredKeys: ['status'] },
)

export const verifierNames = ['lint', 'tests', 'judge'] as const
const capName = fc.constantFrom(...amounts.map((name) => capTable[name].cap))
const verifier = fc.constantFrom(...verifierNames)
const status = fc.constantFrom('passed', 'failed', 'error', 'skipped', 'pending')

const findings = fc.array(text, { maxLength: 2 })
const verdicts: fc.Arbitrary<VerdictLine[]> = fc.array(fc.record({ verifier, status }), {
  maxLength: 2,
})

export const stopTransition = fc.record(
  {
    kind: fc.constant('stop' as const),
    reason: fc.constantFrom(
      'task_complete',
      'hard_cap',
      'awaiting_approval',
      'user_interrupt',
      'error',
      'model_ended',
    ),
    outcome: fc.constantFrom(
      'verified',
      'failed',
      'exhausted',
      'unverified',
      'blocked',
      'interrupted',
      'error',
    ),
    message: text,
    cap: capName,
    atCap: capName,
    detector: text,
    misuse: fc.constant(true as const),
    lastCheck: fc.constantFrom('run', 'switched-off', 'nothing-to-check'),
    summary: text,
    summaryBy: fc.constantFrom('agent', 'withheld-answer', 'program'),
    findings,
    verdicts,
  },
  { requiredKeys: ['kind', 'reason', 'outcome', 'message', 'findings', 'verdicts'] },
)

const continueTransition = fc.record({
  kind: fc.constant('continue' as const),
  reason: fc.constantFrom(
    'tool_calls',
    'verifier_feedback',
    'reply_feedback',
    'max_output_recovery',
    'approval_given',
    'steering',
  ),
  findings,
  verdicts,
})

export const transition: fc.Arbitrary<Transition> = fc.oneof(stopTransition, continueTransition)

export const stop: fc.Arbitrary<StopCause> = fc.oneof(
  fc.record({ reason: fc.constant('hard_cap' as const), cap: capName }),
  fc.record({ reason: fc.constant('loop_detected' as const), detector: text }),
  fc.record({ reason: fc.constantFrom('stagnated' as const, 'diminishing', 'permission_denied', 'blocked') }),
)
