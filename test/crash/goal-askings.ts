/** What two processes may ask of a goal while its agent takes its turns; names come from a small set, so that changes meet. */
import fc from 'fast-check'
import type { GoalChange } from '@donecheck/core/internal/goal'
import type { Asked } from './goal-writing.ts'

const partId = fc.constantFrom('api', 'docs', 'tests')
const anotherGoal = fc
  .constantFrom('goal-1', 'goal-2', 'goal-3', 'goal-4')
  .map((goalId): GoalChange => ({ kind: 'replaced', goalId, objective: `reach ${goalId}` }))
const change: fc.Arbitrary<GoalChange> = fc.oneof(
  { weight: 4, arbitrary: anotherGoal },
  fc
    .constantFrom('less', 'more', '')
    .map((objective): GoalChange => ({ kind: 'objective-edited', objective })),
  fc.record({ id: partId, hasCheck: fc.boolean() }).map(({ id, hasCheck }): GoalChange => ({
    kind: 'sub-goal-added',
    subGoal: {
      id,
      title: `do ${id}`,
      parentId: null,
      checks: hasCheck ? [id] : [],
      after: [],
      isProposed: false,
    },
    checks: hasCheck ? [{ name: id, command: 'test -e done.txt' }] : [],
  })),
  partId.map((id): GoalChange => ({ kind: 'sub-goal-edited', id, title: 'in other words' })),
  fc.constantFrom<GoalChange>(
    { kind: 'paused', reason: 'lunch' },
    { kind: 'resumed' },
    { kind: 'cleared' },
    { kind: 'wait-began', awaited: { kind: 'time' }, expiresAtMs: 1, reason: 'a moment' },
    { kind: 'wait-began', awaited: { kind: 'run', runId: 'nobody' }, expiresAtMs: 1e15, reason: 'a run' },
    { kind: 'blocker-reported', blocker: 'no network' },
  ),
)

/** What one process asks for while the agent takes a turn, and whether the turn ends before it is answered. */
const asked = fc.record({
  how: fc.constantFrom<Asked['how']>('library', 'library', 'unseen', 'unseen', 'forged'),
  goal: fc.constantFrom<Asked['goal']>('whichever', 'whichever', 'as-shown', 'first', 'first', 'unknown'),
  change,
  isAwaited: fc.boolean(),
})
/** What both ask for meanwhile, and what the turn uses. */
const turn = fc.record({
  asks: fc.tuple(fc.array(asked, { maxLength: 4 }), fc.array(asked, { maxLength: 4 })),
  inputTokens: fc.nat({ max: 500 }),
  outputTokens: fc.nat({ max: 500 }),
})
export type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

export const anyTurns = fc.array(turn, { minLength: 3, maxLength: 8, size: 'max' })
