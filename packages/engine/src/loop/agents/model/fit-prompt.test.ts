import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { Conversation, Round } from '@donecheck/core/internal/state'
import { aCall, aConversation, readTool } from './fixtures/requests.ts'
import { fitPrompt, type Prompt, type PromptBudget } from './prompt.ts'
import { windowOf } from './model-agent.ts'

const tools = [readTool]
const { contextWindowTokens, maxOutputTokens } = windowOf('x/y', false, { contextWindowTokens: 4096 })
const small: PromptBudget = { maxTokens: contextWindowTokens - maxOutputTokens, calibration: 1 }

function fit(conversation: Conversation, budget = small): Prompt {
  const fitted = fitPrompt({ conversation, tools, instructions: undefined }, budget)
  if (fitted.kind === 'no-room') throw new Error('no room')
  return fitted.prompt
}

/** Counts every text independently. */
function characters(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, entry) => sum + characters(entry), 0)
}

function aRound(fields: Partial<Round>): Round {
  return { text: '', toolCalls: [], answers: [], feedback: undefined, ...fields }
}

describe('given a long one', () => {
  const rounds = Array.from({ length: 60 }, (_, index) =>
    aRound({ text: `turn ${index} ${'x'.repeat(500)}` }),
  )

  it('keeps the task and the latest turns, and says how many are missing', () => {
    const text = JSON.stringify(fit(aConversation({ task: 'do it', rounds })).messages)
    expect(text).toContain('do it')
    expect(text).toContain('turn 59')
    expect(text).not.toContain('turn 1 ')
    expect(text).toMatch(/\d+ earlier turns were left out/)
  })
})

describe('given a reply with so many calls that not even their names fit', () => {
  it('leaves it out and says so, but keeps the feedback and earlier turns', () => {
    const toolCalls = Array.from({ length: 1000 }, (_, index) => aCall(`c${index}`))
    const rounds = [aRound({ text: 'first' }), aRound({ toolCalls, feedback: 'the check failed' })]
    const text = JSON.stringify(fit(aConversation({ task: 'do it', rounds })).messages)
    expect(text).toContain('with 1000 tool calls, was too large')
    expect(text).toContain('the check failed')
    expect(text).toContain('first')
  })
})

describe('given instructions that fill the window', () => {
  it('says so', () => {
    const parts = { conversation: aConversation({}), tools, instructions: 'x'.repeat(50_000) }
    expect(fitPrompt(parts, small)).toMatchObject({ kind: 'no-room' })
  })
})

describe('given any conversation and a window of 4,096 tokens', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .tuple(fc.string({ maxLength: 5, minLength: 1 }), fc.nat({ max: 4000 }))
      .map(([word, times]) => word.repeat(times)),
  )
  const round = fc
    .record({
      text,
      calls: fc.nat({ max: 120 }),
      args: fc.oneof(
        text,
        fc.dictionary(fc.string(), text, { maxKeys: 4 }),
        fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }),
      ),
      output: text,
      answered: fc.boolean(),
      feedback: fc.option(text, { nil: undefined }),
    })
    .map(({ calls, args, output, answered, ...rest }) => {
      const toolCalls = Array.from({ length: calls }, (_, index) => aCall(`c${index}`, { args }))
      const answers = answered
        ? toolCalls.map(({ callId, tool }) => ({ callId, tool, output, failed: false }))
        : []
      return { ...rest, toolCalls, answers }
    })
  const conversation = fc.record({
    task: text,
    rounds: fc.array(round, { maxLength: 8 }),
    messages: fc.array(
      fc.record({
        text: fc.string({ maxLength: 4000 }),
        afterRounds: fc.nat({ max: 3 }),
        isLasting: fc.boolean(),
      }),
      { maxLength: 40 },
    ),
  })

  it.prop([conversation, fc.double({ min: 0.8, max: 1.5, noNaN: true })], { numRuns: 200 })(
    'the prompt and the longest reply fit together',
    (given, calibration) => {
      const prompt = fit(given, { ...small, calibration })
      const limit = (contextWindowTokens - maxOutputTokens) / calibration
      expect(prompt.estimatedTokens).toBeLessThanOrEqual(limit)
      const counted = characters([prompt.instructions, prompt.messages, tools]) / 3.5
      expect(counted).toBeLessThanOrEqual(limit)
    },
  )
})
