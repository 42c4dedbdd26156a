import { generateText, isStepCount, tool, type StopCondition, type ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { verifierOf } from '@donecheck/engine/verify'
import { scriptedModel, type Said } from '../fixtures/scripted-model.ts'
import { whenVerified } from './when-verified.ts'

const lays: Said = [{ tool: 'lay', args: {} }]

/** A wall that grows brick by brick, and a check that wants so many. */
function wall(wanted: number) {
  let bricks = 0
  const lay = tool({ inputSchema: z.object({}), execute: () => `${(bricks += 1)} bricks` })
  const isHigh = verifierOf('high enough', () => ({
    passed: bricks >= wanted,
    reason: `${bricks} of ${wanted} bricks`,
  }))
  return { tools: { lay }, isHigh }
}

it('ends a generation as soon as the checks pass, and says what they said', async () => {
  const { tools, isHigh } = wall(2)
  const verified = whenVerified({ workFolder: null, hardVerifiers: [isHigh] })
  const { model, asked } = scriptedModel(lays, lays, lays, lays)
  const result = await generateText({ model, tools, prompt: 'Build.', stopWhen: [isStepCount(9), verified] })
  expect(result.steps).toHaveLength(2)
  expect(asked).toHaveLength(2)
  expect(verified.verification).toMatchObject({ isVerified: true, verdicts: [{ reason: '2 of 2 bricks' }] })
})

it('lets it go on where they do not, also where a check breaks', async () => {
  const { tools } = wall(2)
  const broken = verifierOf('broken', () => {
    throw new Error('no ruler')
  })
  const verified = whenVerified({ workFolder: null, hardVerifiers: [broken] })
  const { model } = scriptedModel(lays, lays, lays, lays)
  const result = await generateText({ model, tools, prompt: 'Build.', stopWhen: [isStepCount(3), verified] })
  expect(result.steps).toHaveLength(3)
  expect(verified.verification).toMatchObject({ isVerified: false, verdicts: [{ status: 'error' }] })
})

it('is the SDK’s own, by type', () => {
  const verified = whenVerified({ workFolder: null, hardVerifiers: [wall(1).isHigh] })
  expect(verified satisfies StopCondition<ToolSet>).toBeTypeOf('function')
  expect(verified.verification).toBeUndefined()
})
