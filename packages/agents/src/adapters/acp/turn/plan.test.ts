import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, inScriptedPlace } from '../fixtures/scripted.ts'
import type { Act } from '../fixtures/scripted-agent.ts'
import { planOf } from './plan.ts'

const plan = (...entries: readonly (readonly [string, string])[]): Act => ({
  update: {
    sessionUpdate: 'plan',
    entries: entries.map(([content, status]) => ({ content, status, priority: 'medium' })),
  },
})

describe('given a plan in the words of the protocol', () => {
  it('takes nothing for done that is not said to be', () => {
    const entries = [
      { content: 'look', status: 'completed', priority: 'high' },
      { content: 'write it', status: 'in_progress' },
      { content: 'run it', status: 'pending' },
      { content: 'tell of it', status: 'never heard of' },
      { status: 'completed' },
      7,
    ]
    expect(planOf({ entries })).toEqual([
      { text: 'look', state: 'completed' },
      { text: 'write it', state: 'in-progress' },
      { text: 'run it', state: 'pending' },
      { text: 'tell of it', state: 'pending' },
    ])
  })

  it('reads anything without throwing', () => {
    const update = fc.oneof(fc.anything(), fc.record({ entries: fc.anything() }))
    fc.assert(fc.property(update, (message) => [undefined, true].includes(planOf(message)?.every(Boolean))))
    expect(planOf({ entries: 'all of it' })).toBeUndefined()
  })
})

describe('given an agent that tells its plan while it works', () => {
  it('hands on what stands, beside its words', async () => {
    await inScriptedPlace(async (place) => {
      const drive = place.drive({
        turns: [
          [
            plan(['write it', 'in_progress'], ['run it', 'pending']),
            { run: 'true', unasked: true },
            plan(['write it', 'completed'], ['run it', 'completed']),
            { say: 'Done.' },
          ],
        ],
      })
      const plans: unknown[] = []
      const onPlan = (entries: unknown) => plans.push(entries)
      expect(await ask(drive, { onPlan })).toMatchObject({ kind: 'replied', finish: 'tool-calls' })
      expect(await ask(drive, { onPlan })).toMatchObject({ text: 'Done.', finish: 'stop' })
      expect(plans.at(-1)).toEqual([
        { text: 'write it', state: 'completed' },
        { text: 'run it', state: 'completed' },
      ])
    })
  })
})
