import { generateText, hasToolCall, isStepCount, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel, type Said } from './fixtures/scripted-model.ts'
import { stopWhen } from './conditions.ts'

const look = tool({ inputSchema: z.object({ at: z.string() }), execute: ({ at }) => `${at} is there` })
const tools = { look }
const looks = (at: string): Said => [{ tool: 'look', args: { at } }]
const many: [Said, ...Said[]] = [looks('a'), looks('b'), looks('c'), looks('d'), looks('e'), looks('f')]

describe('given our conditions', () => {
  it('stop before the call that does not fit, and say which cap it was', async () => {
    const stop = stopWhen({ hardCap: { modelCalls: 3 } })
    const result = await generateText({
      model: scriptedModel(...many).model,
      tools,
      prompt: 'look',
      stopWhen: stop,
    })
    expect(result.steps).toHaveLength(3)
    expect(result.finishReason).toBe('tool-calls')
    expect(stop.reasonOf(result)).toMatchObject({
      kind: 'rule',
      transition: { reason: 'hard_cap', cap: 'model_calls', outcome: 'exhausted' },
    })
    expect(stop.reason).toEqual(stop.reasonOf(result))
  })

  it('stop a loop, and say which detector it was', async () => {
    const stop = stopWhen()
    const { model } = scriptedModel(looks('a'))
    const result = await generateText({ model, tools, prompt: 'look', stopWhen: [isStepCount(60), stop] })
    expect(stop.reasonOf(result)).toMatchObject({ kind: 'rule', transition: { reason: 'loop_detected' } })
    expect(result.steps.length).toBeLessThan(60)
  })
})

describe('given conditions of the SDK', () => {
  it('takes them as they are, and says which was met', async () => {
    const stop = stopWhen({ conditions: { 'two steps': isStepCount(2), asked: hasToolCall('ask') } })
    const result = await generateText({
      model: scriptedModel(...many).model,
      tools,
      prompt: 'look',
      stopWhen: stop,
    })
    expect(result.steps).toHaveLength(2)
    expect(stop.reasonOf(result)).toEqual({ kind: 'condition', name: 'two steps' })
  })
})

describe('given caps that make no sense', () => {
  it('rejects the generation with what is wrong', async () => {
    const stop = stopWhen({ hardCap: { modelCalls: -1 } })
    const { model } = scriptedModel(...many)
    await expect(generateText({ model, tools, prompt: 'look', stopWhen: stop })).rejects.toThrow(
      'hardCap.modelCalls must be a positive whole number',
    )
  })
})
