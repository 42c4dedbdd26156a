import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { AgentFailure } from '@donecheck/core/internal/events'
import type { AgentRequest } from '../../ports/loop.ts'
import { agentContract } from '../../testing/contracts/agent-contract.ts'
import { scriptedAgent, type ScriptedOptions, type ScriptedStep } from './scripted.ts'

const busy: AgentFailure = { kind: 'rate-limited', message: 'slow down', retryable: true, retryAfterMs: 5 }
const broken: AgentFailure = { kind: 'configuration', message: 'no such model', retryable: false }

agentContract('scripted', {
  replying: () => scriptedAgent(['It is done.']),
  failing: () => scriptedAgent([{ fails: broken }]),
  hanging: (onStart) =>
    scriptedAgent([
      () => {
        onStart()
        return new Promise(() => undefined)
      },
    ]),
})

function ask(
  steps: readonly ScriptedStep[],
  changes: Partial<AgentRequest> = {},
  options: ScriptedOptions = {},
) {
  const request: AgentRequest = {
    runId: 'run-1',
    turn: 1,
    attempt: 1,
    replies: 0,
    conversation: emptyConversation,
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
    ...changes,
  }
  return scriptedAgent(steps, options).next(request, new AbortController().signal)
}

describe('given a script', () => {
  it('names its calls by their place', async () => {
    const tools = [
      { tool: 'read', args: { path: 'a' } },
      { tool: 'write', args: null },
    ]
    expect(await ask(['first', { tools }], { replies: 1 })).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [
        { callId: 'call-2-1', tool: 'read', args: { path: 'a' } },
        { callId: 'call-2-2', tool: 'write', args: null },
      ],
    })
  })
})

describe('given a script in a new process', () => {
  it('stands where the replies so far have led', async () => {
    const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(7), async (steps, place) => {
        const replies = place % steps.length
        expect(await ask(steps, { replies, turn: 99, attempt: 3 })).toMatchObject({ text: steps[replies] })
      }),
    )
  })
})

describe('given steps that fail', () => {
  const steps: readonly ScriptedStep[] = ['first', { fails: [busy, broken], then: 'at last' }]

  it.each([
    [1, { kind: 'failed', failure: busy }],
    [2, { kind: 'failed', failure: broken }],
    [3, { kind: 'replied', text: 'at last' }],
    [4, { kind: 'replied', text: 'at last' }],
  ])('meets attempt %i with its own answer', async (attempt, answer) => {
    expect(await ask(steps, { replies: 1, attempt })).toMatchObject(answer)
  })
})
