import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import { scriptedAgent } from '../../agents/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { play, playOn, tool, verifier, type Scene } from '../../../testing/index.ts'

/** Interrupts as soon as an event of that type is recorded. */
function interruptedAt(type: RunEvent['type'], scene: Scene): Scene {
  const controller = new AbortController()
  return {
    ...scene,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === type) controller.abort('SIGINT')
    },
  }
}

describe('given a run that was interrupted', () => {
  const sceneOf = (): Scene => ({
    agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.', 'Done again.'], {
      repeatLast: true,
    }),
    tools: [tool('write', () => ({ status: 'ok', output: 'written' }))],
    verifiers: [verifier('green', (call) => ({ status: call < 3 ? 'failed' : 'passed' }))],
  })

  for (const type of [
    'run-started',
    'model-called',
    'model-replied',
    'tool-returned',
    'turn-ended',
  ] as const) {
    it(`when that was after ${type}, then a new process ends it, and the counters go on`, async () => {
      const scene = sceneOf()
      const first = await play(interruptedAt(type, scene))
      expect(first.state.phase).toMatchObject({
        transition: { reason: 'user_interrupt', outcome: 'interrupted' },
      })
      const second = await playOn(first, scene)
      expect(second.state.phase).toMatchObject({ transition: { reason: 'task_complete' } })
      const all = await second.store.read('run-1')
      expect(second.state.consumption.modelCalls).toBe(
        all.filter((event) => event.type === 'model-called').length,
      )
      expect(fold(all)).toEqual(second.state)
    })
  }
})

describe('given a call that was announced when the process died', () => {
  it('then it is not run again, and the agent is told that its outcome is unknown', async () => {
    const scene: Scene = {
      agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.']),
      tools: [tool('write', () => ({ status: 'ok', output: '' }))],
    }
    const died = await play(scene)
    const announced = (await died.store.read('run-1')).findIndex(({ type }) => type === 'tool-called')
    const cut = await died.store.read('run-1')
    const store = memoryStore()
    await store.append(0, cut.slice(0, announced + 1), null)
    const resumed = await playOn({ ...died, store }, scene)
    const answer = resumed.session.conversation.rounds[0]?.answers[0]
    expect(answer?.output).toContain('It may or may not have taken effect')
    expect(resumed.events.filter(({ type }) => type === 'tool-called')).toEqual([])
  })
})
