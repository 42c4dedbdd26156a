import { describe, expect, it } from 'vitest'
import type { Round } from '@donecheck/core/internal/state'
import { aCall, aConversation } from './fixtures/requests.ts'
import { fitPrompt, withCallsInText } from './prompt.ts'

const answers = [
  { callId: 'c2', tool: 'read', output: 'no such file', failed: true },
  { callId: 'c1', tool: 'read', output: 'content', failed: false },
]
const worked: Round = {
  text: 'I read.',
  toolCalls: [aCall('c1'), aCall('c2'), aCall('c3')],
  answers,
  feedback: 'the check failed',
}
const talked: Round = { text: 'Done.', toolCalls: [], answers: [], feedback: undefined }

describe('given a conversation with calls', () => {
  const reported = withCallsInText({ ...aConversation({ rounds: [worked, talked] }), omittedRounds: 0 })

  it('says in words what was called, and what came of each call, in the order of the calls', () => {
    expect(reported.rounds[0]).toEqual({
      text: 'I read.\n\n[I called read with {"path":"a"}]\n\n[I called read with {"path":"a"}]\n\n[I called read with {"path":"a"}]',
      toolCalls: [],
      answers: [],
      feedback:
        '[read gave: content]\n\n[read failed: no such file]\n\n[The result of read is not known.]\n\nthe check failed',
    })
  })
})

describe('given a prompt', () => {
  const conversation = aConversation({
    rounds: [worked],
    messages: [{ text: 'This run ends now.', afterRounds: 1, isLasting: true }],
  })
  const budget = { maxTokens: 8000, calibration: 1 }

  it('without tools it holds no call and no result of one, and the last message comes last', () => {
    const fitted = fitPrompt({ conversation, tools: [], instructions: undefined }, budget)
    if (fitted.kind !== 'fits') throw new Error('it fits')
    const { messages } = fitted.prompt
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(messages)).not.toMatch(/tool-call|tool-result/)
    expect(messages.at(-1)?.content).toMatch(/This run ends now\.$/)
  })
})
