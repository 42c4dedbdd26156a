/** Generators of facts of goals; ids come from a small set, so that changes meet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitEnd, type GoalChange, type SubGoal, type SubGoalBudget } from '../../goal/index.ts'
import { isGoalFact, type GoalFact } from '../../events/index.ts'

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
const driveSteered = fc.record({ goalId: text, text })
const goalSet = fc.record(
  { task: text, subGoals: fc.array(subGoal, { maxLength: 3 }), rules: text },
  { requiredKeys: ['task'] },
)
const goalWaitEnded = fc.record({ goalId: text, how: fc.constantFrom(...waitEnd.options) })

/** What earlier runs left behind. */
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
  'drive-steered': fact('drive-steered', driveSteered),
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
