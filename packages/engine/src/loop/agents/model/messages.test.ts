import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { Conversation, Round } from '@donecheck/core/internal/state'
import { aCall, aConversation } from './fixtures/requests.ts'
import { messagesOf } from './prompt.ts'

function show(fields: Partial<Conversation>, omittedRounds = 0) {
  return messagesOf({ ...aConversation(fields), omittedRounds })
}

function aRound(fields: Partial<Round>): Round {
  return { text: '', toolCalls: [], answers: [], feedback: undefined, ...fields }
}

describe('given a conversation', () => {
  it('shows a round with its calls, their results and the feedback', () => {
    const round = aRound({
      text: 'I read.',
      toolCalls: [aCall('c1'), aCall('c2')],
      answers: [
        { callId: 'c2', tool: 'read', output: 'no such file', failed: true },
        { callId: 'c1', tool: 'read', output: 'content', failed: false },
      ],
      feedback: 'the check failed',
    })
    expect(show({ rounds: [round] }).slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } },
          { type: 'tool-call', toolCallId: 'c2' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read',
            output: { type: 'text', value: 'content' },
          },
          { toolCallId: 'c2', output: { type: 'error-text', value: 'no such file' } },
        ],
      },
      { role: 'user', content: 'the check failed' },
    ])
  })

  it('shows unreadable arguments inside an object, and invented names in letters that providers accept', () => {
    const call = aCall('c1', { tool: 'rm -rf /', args: '{"path":' })
    expect(show({ rounds: [aRound({ toolCalls: [call] })] })[1]).toMatchObject({
      content: [{ toolName: 'rm_-rf__', input: { unreadable_arguments: '{"path":' } }],
    })
  })

  it('mends split characters everywhere', () => {
    const half = '\ud83d'
    const round = aRound({
      text: half,
      toolCalls: [aCall('c1', { args: { path: [half] } })],
      answers: [{ callId: 'c1', tool: 'read', output: half, failed: false }],
      feedback: half,
    })
    expect(JSON.stringify(show({ task: half, rounds: [round] }))).not.toContain('ud83d')
  })
})

describe('given any conversation', () => {
  const round = fc
    .record({
      text: fc.string(),
      calls: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 4 }),
      answered: fc.nat({ max: 4 }),
      feedback: fc.option(fc.string(), { nil: undefined }),
    })
    .map(({ text, calls, answered, feedback }) => {
      const answers = calls.map((callId) => ({ callId, tool: 'read', output: '', failed: false }))
      return {
        text,
        toolCalls: calls.map((callId) => aCall(callId)),
        answers: answers.slice(0, answered),
        feedback,
      }
    })
  const conversation = fc.record({
    task: fc.string(),
    rounds: fc.array(round, { maxLength: 6 }),
    messages: fc.array(
      fc.record({ text: fc.string(), afterRounds: fc.nat({ max: 6 }), isLasting: fc.boolean() }),
    ),
  })

  it.prop([conversation])('gives every call its result in the next message', (given) => {
    const messages = show(given)
    messages.forEach((message, index) => {
      if (message.role !== 'assistant' || typeof message.content === 'string') return
      const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      if (calls.length > 0)
        expect(messages[index + 1]).toMatchObject({
          role: 'tool',
          content: calls.map((toolCallId) => ({ toolCallId })),
        })
    })
  })

  it.prop([conversation])(
    'has no empty message, no two user messages in a row, and no model’s last word',
    (given) => {
      const messages = show(given)
      const roles = messages.map(({ role }) => role)
      expect(messages.every(({ content }) => content.length > 0)).toBe(true)
      expect(roles.some((role, index) => role === 'user' && roles[index + 1] === 'user')).toBe(false)
      expect(roles.at(-1)).not.toBe('assistant')
      expect(roles[0] === 'user' || roles[0] === 'assistant').toBe(true)
    },
  )
})
