import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/internal/state'
import type { GoalChange } from '@donecheck/core/internal/goal'
import { goalScene } from '../fixtures/goal-scene.ts'

const said = (text: string): GoalChange => ({ kind: 'message-given', text })

describe('given a run that its agent has ended without a check', () => {
  it('goes on with what is said next, in the same conversation, and otherwise not at all', async () => {
    const { run, loop, requests, store } = goalScene([{}, { text: 'And now this.' }], { hardVerifiers: [] })
    const { runId, transition } = await run()
    expect(transition.reason).toBe('model_ended')
    await expect(loop.resume(runId)).rejects.toThrow('is finished')
    await loop.goal.change(runId, said('And the second question?'), { by: 'Mia' })
    const again = await loop.resume(runId)
    expect(again).toMatchObject({ finalText: 'And now this.', transition: { reason: 'model_ended' } })
    expect(requests.at(-1)?.conversation).toMatchObject({
      messages: [{ text: 'And the second question?', afterRounds: 1 }],
      rounds: [{ text: 'It is done.' }],
    })
    expect(fold(await store.read(runId))).toEqual(again.state)
  })
})
