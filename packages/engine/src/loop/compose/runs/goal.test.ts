import { describe, expect, it } from 'vitest'
import { edited, goalScene, toldAfter } from '../fixtures/goal-scene.ts'

describe('given a goal that is edited while the agent finishes', () => {
  it('does not end before the agent has heard of it, whatever the checks say', async () => {
    const { run, requests } = goalScene([
      { writes: ['a.txt'], asked: [edited('write a.txt and look at it twice')] },
      {},
    ])
    const { transition, events, state } = await run()
    expect(transition.reason).toBe('task_complete')
    expect(requests).toHaveLength(2)
    expect(toldAfter(requests[1])).toContain('write a.txt and look at it twice')
    expect(requests[1]?.conversation.task).toBe('write a.txt and look at it twice')
    expect(events.find(({ type }) => type === 'turn-ended')).toMatchObject({
      transition: { reason: 'goal_changed' },
    })
    expect(state).toMatchObject({ goal: { status: 'complete', revision: 2, news: 'none' } })
  })
})
