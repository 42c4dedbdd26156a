import { ToolLoopAgent, isStepCount, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Verification } from '../../session/index.ts'
import { verifierOf } from '@donecheck/engine/verify'
import { scriptedModel, type Said } from './fixtures/scripted-model.ts'
import { verifiedAgent, type AnyAgent, BrokenOffError } from './verified-agent.ts'

const look = tool({ inputSchema: z.object({ at: z.string() }), execute: ({ at }) => `${at} is there` })
const looks = (at: string): Said => [{ tool: 'look', args: { at } }]
const never = verifierOf('never', () => false, { reads: 'answer' })
const said = (words: string) =>
  verifierOf(`says ${words}`, ({ finalText }) => finalText.includes(words), { reads: 'answer' })

describe('given an agent that is made already', () => {
  it('is broken off at a cap, before the call that does not fit', async () => {
    const { model, asked } = scriptedModel(looks('a'), looks('b'), looks('c'))
    const agent = new ToolLoopAgent({ model, tools: { look }, stopWhen: isStepCount(50) })
    const verified = verifiedAgent(agent, { hardVerifiers: [never], hardCap: { modelCalls: 2 } })
    const error: unknown = await verified.generate({ prompt: 'look' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BrokenOffError)
    expect(error).toMatchObject({ verification: { transition: { reason: 'hard_cap', cap: 'model_calls' } } })
    expect(asked).toHaveLength(2)
  })
})

describe('given an agent that cannot be told anything while it works', () => {
  it('is called again with all that was said', async () => {
    const asked: unknown[] = []
    const deaf: AnyAgent = {
      version: 'agent-v1',
      id: 'deaf',
      tools: {},
      generate: async (call: { onStepEnd(step: object): Promise<void> }): Promise<object> => {
        asked.push(call)
        const text = asked.length === 1 ? 'Done.' : 'Done, please.'
        const usage = { inputTokens: 1, outputTokens: 1 }
        await call.onStepEnd({ text, finishReason: 'stop', usage, toolCalls: [], content: [] })
        return { text, responseMessages: [{ role: 'assistant', content: text }] }
      },
      stream: () => Promise.reject(new Error('not here')),
    }
    const verified = verifiedAgent(deaf, { hardVerifiers: [said('please')] })
    const result: unknown = await verified.generate({ prompt: 'be polite' } as never)
    expect(result).toMatchObject({ verification: { isVerified: true, blockedStops: 1 } })
    expect(asked[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'be polite' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user' },
      ],
    })
    expect(JSON.stringify(asked[1])).toContain('says please')
  })
})

describe('given an end that is none', () => {
  it('tells of an abort, and hands its error on', async () => {
    const verifications: Verification[] = []
    const controller = new AbortController()
    const { model } = scriptedModel(looks('a'))
    const stops = tool({
      inputSchema: z.object({ at: z.string() }),
      execute: () => {
        controller.abort(new Error('enough'))
        return 'aborted'
      },
    })
    const verified = verifiedAgent((guard) => new ToolLoopAgent(guard({ model, tools: { look: stops } })), {
      hardVerifiers: [never],
      onVerification: (verification) => verifications.push(verification),
    })
    const call = verified.generate({ prompt: 'look', abortSignal: controller.signal })
    await expect(call).rejects.toThrow('enough')
    expect(verifications).toMatchObject([{ isVerified: false, transition: { outcome: 'interrupted' } }])
  })

  it('never calls a model that failed done', async () => {
    const verifications: Verification[] = []
    const { model } = scriptedModel('Done.')
    model.doGenerate = () => Promise.reject(new Error('no model here'))
    const verified = verifiedAgent((guard) => new ToolLoopAgent(guard({ model, maxRetries: 0 })), {
      hardVerifiers: [verifierOf('always', () => true, { reads: 'answer' })],
      onVerification: (verification) => verifications.push(verification),
    })
    await expect(verified.generate({ prompt: 'look' })).rejects.toThrow('no model here')
    expect(verifications).toMatchObject([{ isVerified: false }])
  })
})
