import { describe, expect, it } from 'vitest'
import {
  changeGoal,
  drivesRequests,
  firstGoal,
  problemOfChange,
  type GoalChange,
  type GoalState,
  type SubGoal,
  goalEvents,
  goalMoves,
  goalStatuses,
  moveGoal,
  type GoalEvent,
  type GoalStatus,
} from './index.ts'
import { maxObjectiveLength } from './change.ts'
import fc from 'fast-check'

const docs: SubGoal = {
  id: 'docs',
  title: 'Write the guide',
  parentId: null,
  checks: ['check docs'],
  after: [],
  isProposed: false,
}
const added: GoalChange = {
  kind: 'sub-goal-added',
  subGoal: docs,
  checks: [{ name: 'check docs', command: 'npm run docs' }],
}
const edited = (objective: string): GoalChange => ({ kind: 'objective-edited', objective })
const goal = firstGoal('goal-1', [])

const problem = (change: GoalChange, more: { by?: string; goalId?: string; goal?: GoalState } = {}) =>
  problemOfChange(more.goal ?? goal, { goalId: more.goalId ?? null, by: more.by ?? 'Mia', change }, [
    'npm test',
  ])

const after = (...changes: readonly GoalChange[]) =>
  changes.reduce((state, change, index) => changeGoal(state, change, index + 1), goal)

describe('given a change of a goal', () => {
  it('is refused where another goal is meant by now', () => {
    expect(problem(edited('faster'), { goalId: 'goal-0' })).toContain(
      'goal-0 is not the goal of this run any more',
    )
    expect(problem(edited('faster'), { goalId: 'goal-1' })).toBeUndefined()
  })

  it('is refused where it says nothing, or too much', () => {
    expect(problem(edited('  '))).toBe('the objective must not be empty')
    expect(problem(edited('x'.repeat(maxObjectiveLength)))).toBeUndefined()
    expect(problem(edited('x'.repeat(maxObjectiveLength + 1)))).toContain('more than 4000 characters')
  })

  it('brings its checks along, which nobody has asked yet', () => {
    expect(after(added)).toMatchObject({ subGoals: [docs], unaskedChecks: ['check docs'] })
  })

  it('names parts and checks that are there, and no name twice', () => {
    expect(problem(added)).toBeUndefined()
    expect(problem(added, { goal: after(added) })).toBe('there is a sub-goal "docs" already')
    expect(problem({ ...added, subGoal: { ...docs, after: ['api'] } })).toBe('there is no sub-goal "api"')
    expect(problem({ ...added, subGoal: { ...docs, checks: ['other'] } })).toBe('there is no check "other"')
    const twice = [{ name: 'npm test', command: 'npm test' }]
    expect(problem({ kind: 'checks-added', checks: twice })).toBe('there is a check "npm test" already')
    expect(problem({ kind: 'sub-goal-edited', id: 'api', title: 'x' })).toBe('there is no sub-goal "api"')
  })

  it('puts another goal in its place, which has spent nothing yet', () => {
    const spent = { ...after(added), spent: { ...goal.spent, turns: 4 } }
    const replaced = changeGoal(spent, { kind: 'replaced', goalId: 'goal-2', objective: 'the upload' }, 9)
    expect(replaced).toMatchObject({ id: 'goal-2', subGoals: [], spent: { turns: 0 }, news: 'untold' })
    expect(replaced.addedChecks).toHaveLength(1)
  })

  it('gives no goal the id of this one, or of one before it', () => {
    const replaced = (goalId: string): GoalChange => ({ kind: 'replaced', goalId, objective: 'the upload' })
    expect(problem(replaced('goal-1'))).toContain('another goal needs an id of its own')
    const third = after(replaced('goal-2'), replaced('goal-3'))
    expect(problem(replaced('goal-1'), { goal: third })).toContain('there was a goal goal-1 in this run')
    expect(problem(replaced('goal-4'), { goal: third })).toBeUndefined()
  })

  it('cannot be made of a goal that was cleared, but for another goal', () => {
    const cleared = after({ kind: 'cleared' })
    expect(cleared).toMatchObject({ status: 'paused', isCleared: true })
    expect(problem({ kind: 'resumed' }, { goal: cleared })).toBe(
      'the goal was cleared: set another one first',
    )
    expect(problem({ kind: 'replaced', goalId: 'goal-2', objective: 'x' }, { goal: cleared })).toBeUndefined()
  })

  it('cannot be made of a goal that is complete', () => {
    const complete: GoalState = { ...goal, status: 'complete' }
    expect(problem(edited('more'), { goal: complete })).toContain('start a new run')
  })
})

describe('given what an agent asks for', () => {
  const proposal: GoalChange = { ...added, subGoal: { ...docs, checks: [], isProposed: true }, checks: [] }

  it('may propose, wait and report, and nothing else', () => {
    expect(problem(proposal, { by: drivesRequests })).toBeUndefined()
    const all: readonly GoalChange[] = [
      edited('less'),
      { kind: 'cleared' },
      { kind: 'paused', reason: '' },
      { kind: 'resumed' },
    ]
    for (const change of all)
      expect(problem(change, { by: drivesRequests })).toContain('everything else is for people')
  })

  it('cannot make its own plan binding, nor a person a proposal', () => {
    expect(problem(added, { by: drivesRequests })).toBe('only the agent proposes sub-goals')
    expect(problem(proposal)).toBe('only the agent proposes sub-goals')
  })

  it('counts a blocker in turns, not in words', () => {
    const once = after(
      { kind: 'blocker-reported', blocker: 'No network!' },
      { kind: 'blocker-reported', blocker: 'no network' },
    )
    expect(once.blocker).toEqual({ text: 'No network!', turns: 1, isReported: true })
  })
})

const pairs = goalStatuses.flatMap((status) => goalEvents.map((event) => [status, event] as const))

describe('given the table of a goal', () => {
  it('knows what every event does in every status', () => {
    for (const [status, event] of pairs)
      expect(goalMoves[status][event], `${status} × ${event}`).toBeDefined()
  })

  it('leads to complete by checks alone', () => {
    const ways = pairs.filter(
      ([status, event]) => status !== 'complete' && goalMoves[status][event] === 'complete',
    )
    expect(new Set(ways.map(([, event]) => event))).toEqual(new Set(['completed']))
  })

  it('keeps a complete goal complete, whatever comes', () => {
    for (const event of goalEvents) expect(moveGoal('complete', event).status).toBe('complete')
  })

  it('leaves a goal that was interrupted as it is, so that it can be gone on with', () => {
    for (const status of goalStatuses)
      expect(moveGoal(status, 'aborted')).toEqual({ status, isRefused: false })
  })

  it('wakes every goal that is not complete when its run is resumed', () => {
    for (const status of goalStatuses)
      expect(moveGoal(status, 'resumed').status).toBe(status === 'complete' ? 'complete' : 'active')
  })

  it('waits only while it is active or waits already', () => {
    const waits = goalStatuses.filter((status) => moveGoal(status, 'wait-began').status === 'waiting')
    expect(waits).toEqual(['active', 'waiting'])
  })
})

describe('given any sequence of events', () => {
  it('stays in the table, and a refusal changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...goalEvents), { maxLength: 40 }),
        (events: readonly GoalEvent[]) => {
          let status: GoalStatus = 'active'
          for (const event of events) {
            const next = moveGoal(status, event)
            expect(goalStatuses).toContain(next.status)
            if (next.isRefused) expect(next.status).toBe(status)
            status = next.status
          }
        },
      ),
    )
  })
})
