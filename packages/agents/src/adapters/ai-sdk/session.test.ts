import { ToolLoopAgent, isStepCount, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Verification } from '../../session/index.ts'
import { verifierOf } from '@donecheck/engine/verify'
import { scriptedModel, type Said } from './fixtures/scripted-model.ts'
import { verifiedAgent, type VerifiedAgentOptions } from './verified-agent.ts'

/** A work that is done when it was done twice. */
function givenAgent(script: readonly [Said, ...Said[]], options: Partial<VerifiedAgentOptions> = {}) {
  let done = 0
  const { model, asked } = scriptedModel(...script)
  const isDone = verifierOf('done twice', () => ({ passed: done >= 2, reason: `done ${done} times` }), {
    reads: 'answer',
  })
  const work = tool({
    inputSchema: z.object({ how: z.string() }),
    execute: ({ how }) => {
      done += 1
      return `worked ${how}`
    },
  })
  const verifications: Verification[] = []
  const agent = verifiedAgent(
    (guard) => new ToolLoopAgent(guard({ model, tools: { work }, instructions: 'work' })),
    {
      hardVerifiers: [isDone],
      onVerification: (verification) => verifications.push(verification),
      ...options,
    },
  )
  return { agent, asked, verifications, model, work, isDone, doneTimes: () => done }
}

const works = (how: string): Said => [{ tool: 'work', args: { how } }]

describe('given a model that says done too early', () => {
  it('is kept from stopping with the evidence, in the same generation, and ends verified', async () => {
    const { agent, asked } = givenAgent([works('first'), 'Done.', works('again'), 'Now it is.'])
    const result = await agent.generate({ prompt: 'do it twice' })
    expect(result.text).toBe('Now it is.')
    expect(result.steps).toHaveLength(4)
    expect(asked[2]).toContain('done 1 times')
    expect(result.verification).toMatchObject({
      isVerified: true,
      blockedStops: 1,
      transition: { reason: 'task_complete', outcome: 'verified' },
      verdicts: [{ verifier: 'done twice', status: 'passed' }],
    })
    expect(result.verification.result?.usage).toMatchObject({ inputTokens: 400, modelCalls: 4, toolCalls: 2 })
  })
})

describe('given a model that never mends it', () => {
  it('ends at the cap on blocked stops, and says so', async () => {
    const { agent, asked } = givenAgent(['Done.'], { hardCap: { blockedStops: 2 } })
    const { verification, finishReason } = await agent.generate({ prompt: 'do it twice' })
    expect(finishReason).toBe('stop')
    expect(verification).toMatchObject({
      isVerified: false,
      blockedStops: 2,
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
      stoppedBy: undefined,
    })
    expect(asked).toHaveLength(3)
  })
})

describe('given a cap in the middle of a turn', () => {
  it('makes no model call more than it allows', async () => {
    const script: [Said, ...Said[]] = [
      [{ tool: 'work', args: { how: 'a' } }],
      works('b'),
      works('c'),
      works('d'),
    ]
    const { agent, asked } = givenAgent(script, {
      hardCap: { modelCalls: 3 },
      hardVerifiers: [verifierOf('never', () => false, { reads: 'answer' })],
    })
    const { verification, steps } = await agent.generate({ prompt: 'work' })
    expect(asked).toHaveLength(3)
    expect(steps).toHaveLength(3)
    expect(verification.transition).toMatchObject({
      reason: 'hard_cap',
      cap: 'model_calls',
      lastCheck: 'run',
    })
  })
})

describe('given a model in a loop', () => {
  it('is told, then refused, then ended', async () => {
    const same: Said = [{ tool: 'look', args: {} }]
    const { model, asked } = scriptedModel(same)
    const look = tool({ inputSchema: z.object({}), execute: () => 'nothing new' })
    const agent = verifiedAgent(
      (guard) => new ToolLoopAgent(guard({ model, tools: { look }, stopWhen: isStepCount(60) })),
      { hardVerifiers: [verifierOf('never', () => false, { reads: 'answer' })] },
    )
    const { verification } = await agent.generate({ prompt: 'look' })
    expect(verification.transition).toMatchObject({ reason: 'loop_detected', outcome: 'exhausted' })
    expect(asked.length).toBeLessThan(60)
    expect(asked.join('\n')).toContain('execution-denied')
  })
})

describe('given a stop condition of the agent itself', () => {
  it('says which one ended it, and what the checks said then', async () => {
    const { model, work, isDone } = givenAgent([works('a')])
    const agent = verifiedAgent(
      (guard) => new ToolLoopAgent(guard({ model, tools: { work }, stopWhen: [isStepCount(1)] })),
      { hardVerifiers: [isDone] },
    )
    const { verification, steps } = await agent.generate({ prompt: 'work' })
    expect(steps).toHaveLength(1)
    expect(verification).toMatchObject({ isVerified: false, stoppedBy: 'stop condition 1' })
    expect(verification.verdicts).toMatchObject([{ status: 'failed' }])
    expect(verification.transition).toBeDefined()
  })
})
