import { hasToolCall, isStepCount } from 'ai'
import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '@donecheck/engine/compose'
import { scriptedDrive } from '@donecheck/engine/drives'
import type { Tool } from '@donecheck/engine/ports/loop'
import { verifierOf } from '@donecheck/engine/verify'
import type { AnyStopCondition } from './conditions.ts'
import { aiSdkRule } from './rule.ts'

const look: Tool = {
  name: 'look',
  description: 'looks',
  parameters: { type: 'object' },
  effect: 'read',
  prepare: async (args) => ({
    kind: 'ready',
    summary: 'look',
    run: async () => ({ status: 'ok', output: `seen ${JSON.stringify(args)}` }),
  }),
}

async function endWith(condition: AnyStopCondition, options = {}) {
  const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((at) => ({ tools: [{ tool: 'look', args: { at } }] }))
  const loop = createAgentLoop({
    drive: scriptedDrive([...calls, 'Done.']),
    tools: [look],
    hardVerifiers: [verifierOf('never', () => false, { reads: 'answer' })],
    softVerifiers: { rules: [aiSdkRule(condition, options)] },
    hardCap: { iterations: 10 },
  })
  return loop.run('look')
}

describe('given a stop condition of the SDK in our own loop', () => {
  it('ends after as many steps as it says', async () => {
    const { transition, usage } = await endWith(isStepCount(3), { name: 'three steps' })
    expect(transition).toMatchObject({
      reason: 'hard_cap',
      cap: 'iterations',
      outcome: 'exhausted',
      message: 'three steps is met after 3 steps',
      findings: ['stop_condition'],
    })
    expect(usage.modelCalls).toBe(3)
  })

  it('sees the tools of the last step', async () => {
    const { usage, transition } = await endWith(hasToolCall('look'), { cause: { reason: 'blocked' } })
    expect(usage.modelCalls).toBe(1)
    expect(transition).toMatchObject({ reason: 'blocked', message: 'stop condition is met after 1 step' })
  })

  it('sees sums of tokens', async () => {
    const budget: AnyStopCondition = ({ steps }) =>
      steps.reduce((sum, { usage }) => sum + (usage.totalTokens ?? 0), 0) > 0
    const { usage } = await endWith(budget)
    expect(usage.modelCalls).toBe(usage.totalTokens > 0 ? 1 : 7)
  })

  it('goes on where it is never met', async () => {
    const { transition } = await endWith(hasToolCall('ask'))
    expect(transition.findings).not.toContain('stop_condition')
  })

  it('cannot be a promise', async () => {
    const { transition } = await endWith(() => Promise.resolve(true)).catch((error: unknown) => ({
      transition: { reason: 'threw', message: String(error) },
    }))
    expect(transition.message).toContain('answers with a promise')
  })
})
