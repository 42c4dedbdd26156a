import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goalEvents, goalMoves, goalStatuses, moveGoal, type GoalEvent, type GoalStatus } from './index.ts'

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

  it('does not hide behind a pause that the budget is spent', () => {
    expect(moveGoal('budget-limited', 'paused').status).toBe('budget-limited')
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
