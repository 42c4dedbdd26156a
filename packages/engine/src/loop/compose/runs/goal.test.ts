/** A goal that changes while its run goes on: asked for from outside, answered at the next boundary. */
import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/state'
import type { GoalChange } from '@donecheck/core/goal'
import { UsageError } from '../../../base/index.ts'
import { edited, goalScene, toldAfter } from '../fixtures/goal-scene.ts'

const withCheck = (id: string): GoalChange => ({
  kind: 'sub-goal-added',
  subGoal: {
    id,
    title: `write ${id}`,
    parentId: null,
    checks: [id],
    after: [],
    isProposed: false,
  },
  checks: [{ name: id, command: `test -e ${id}.txt` }],
})

describe('given a goal that is edited while the drive finishes', () => {
  it('does not end before the drive has heard of it, whatever the checks say', async () => {
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

describe('given a part with a check that comes in the middle', () => {
  it('is verified only once that check passes too', async () => {
    const { run, loop } = goalScene([
      { writes: ['a.txt'], asked: [withCheck('b')] },
      {},
      { writes: ['b.txt'] },
    ])
    const { transition, runId, usage, verdicts } = await run()
    expect(transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
    expect(usage.iterations).toBe(3)
    expect(verdicts.map(({ verifier, status }) => [verifier, status])).toEqual([
      ['a.txt', 'passed'],
      ['b', 'passed'],
    ])
    expect(await loop.goal.show(runId)).toMatchObject({
      subGoals: [{ id: 'b', status: 'closed' }],
      progress: { closed: 1, leaves: 1, share: 1 },
      unanswered: [],
    })
  })

  it('keeps that check through a resume in another process', async () => {
    const stop = new AbortController()
    const { run, store, folder } = goalScene(
      [{ writes: ['a.txt'], asked: [withCheck('b')] }, { first: () => stop.abort('a test') }],
      {
        signal: stop.signal,
      },
    )
    const { runId, transition } = await run()
    expect(transition.outcome).toBe('interrupted')
    const again = goalScene([{}, { writes: ['b.txt'] }], { store, workFolder: folder })
    const resumed = await again.loop.resume(runId)
    expect(resumed.transition).toMatchObject({ outcome: 'verified' })
    expect(resumed.verdicts.map(({ verifier }) => verifier)).toContain('b')
    const refolded = fold(await store.read(runId))
    expect(refolded).toEqual(resumed.state)
  })
})

describe('given a part that nothing can verify', () => {
  it('is never called verified', async () => {
    const talk: GoalChange = {
      kind: 'sub-goal-added',
      subGoal: {
        id: 'talk',
        title: 'tell Bob',
        parentId: null,
        checks: [],
        after: [],
        isProposed: false,
      },
      checks: [],
    }
    const { run } = goalScene([{ writes: ['a.txt'], asked: [talk] }, {}])
    const { transition } = await run()
    expect(transition).toMatchObject({ reason: 'model_ended', outcome: 'unverified' })
    expect(transition.message).toContain('no check decides about talk (tell Bob)')
  })
})

describe('given a request that means another goal', () => {
  it('is refused, and the run goes on as it was', async () => {
    const { run, loop, store } = goalScene([
      { asked: [{ kind: 'replaced', goalId: 'goal-2', objective: 'write a.txt after all' }] },
      { writes: ['a.txt'] },
    ])
    const first = await run()
    expect(first.state.goal).toMatchObject({ id: 'goal-2', status: 'complete' })
    await expect(loop.goal.change(first.runId, edited('more'), { goalId: first.runId })).rejects.toThrow(
      UsageError,
    )
    // One that was kept while the goal was still the old one is answered by the run itself.
    const late = goalScene([{ asked: [] }, { writes: ['a.txt'] }], { store })
    const script = late.loop.run('write a.txt')
    for await (const event of script)
      if (event.type === 'model-called' && event.turn === 1)
        await store.keepGoalRequest(event.runId, { goalId: 'stale', by: 'Bob', change: edited('less') })
    const refused = (await script).state
    expect(refused.task).toBe('write a.txt')
    const events = await store.read(refused.runId)
    const refusals = events.flatMap((event) => (event.type === 'goal-change-refused' ? [event] : []))
    expect(refusals).toMatchObject([{ by: 'Bob', kind: 'objective-edited' }])
    expect(refusals[0]?.reason).toContain('goal stale is not the goal')
  })
})
