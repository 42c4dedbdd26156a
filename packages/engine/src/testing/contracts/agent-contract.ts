import { describe, expect, it } from 'vitest'
import { emptyConversation, type Conversation } from '@donecheck/core/internal/state'
import type { Agent, AgentResponse, AgentRequest } from '../../ports/loop.ts'

export interface AgentCases {
  readonly replying: () => Agent | Promise<Agent>
  readonly failing: () => Agent | Promise<Agent>
  /** Replies only after an abort; calls `onStart` when it works. */
  readonly hanging: (onStart: () => void) => Agent | Promise<Agent>
  /** Whether the last agent still works. */
  readonly isAtWork?: () => boolean | Promise<boolean>
}

export function agentContract(name: string, cases: AgentCases): void {
  const both = { replying: cases.replying, failing: cases.failing }

  describe(`the contract of an agent: ${name}`, () => {
    it('replies with a text, and tells it piece by piece', async () => {
      const pieces: string[] = []
      const answer = await ask(await cases.replying(), { onText: (piece) => pieces.push(piece) })
      expect(answer).toMatchObject({ kind: 'replied' })
      expect(answer.kind === 'replied' && answer.text.trim()).not.toBe('')
      expect(pieces.join('').trim()).toBe(answer.kind === 'replied' ? answer.text.trim() : undefined)
    })

    it('says that it cannot go on as a failure, with a message', async () => {
      const answer = await ask(await cases.failing())
      expect(answer).toMatchObject({ kind: 'failed', failure: { retryable: false } })
      expect(answer.kind === 'failed' && answer.failure.message.trim()).not.toBe('')
    })

    it.each(Object.entries(both))('gives an answer that JSON can hold, when %s', async (_, make) => {
      const answer = await ask(await make())
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
    })

    it.each(Object.entries(both))('gives the same answer to the same request, when %s', async (_, make) => {
      const agent = await make()
      expect(await ask(agent)).toEqual(await ask(agent))
    })

    it('takes a conversation with rounds, feedback and a message', async () => {
      expect(await ask(await cases.replying(), { conversation: goingOn })).toMatchObject({ kind: 'replied' })
    })

    it('is interrupted when it is aborted before it begins', async () => {
      const answer = await ask(await cases.replying(), {}, AbortSignal.abort())
      expect(answer).toMatchObject(interrupted)
    })

    it('is interrupted when it is aborted at work, and leaves nothing behind', async () => {
      const abort = new AbortController()
      const agent = await cases.hanging(() => abort.abort())
      expect(await ask(agent, {}, abort.signal)).toMatchObject(interrupted)
      expect(await cases.isAtWork?.()).not.toBe(true)
    })

    it('describes itself in bounds that can be kept', async () => {
      const { description } = await cases.replying()
      expect(description.name.trim()).not.toBe('')
      expect(description.maxOutputTokens).toBeGreaterThan(0)
      expect(description.contextWindowTokens).toBeGreaterThan(description.maxOutputTokens)
    })
  })
}

const interrupted = { kind: 'failed', failure: { kind: 'interrupted', retryable: true } }

const task: Conversation = { ...emptyConversation, task: 'Make it green.' }

const goingOn: Conversation = {
  task: 'Make it green.',
  rounds: [{ text: 'It is done.', toolCalls: [], answers: [], feedback: 'It is not: 2 tests fail.' }],
  messages: [{ text: 'The previous turn was broken off.', afterRounds: 1, isLasting: false }],
}

function ask(
  agent: Agent,
  changes: Partial<AgentRequest> = {},
  signal = new AbortController().signal,
): Promise<AgentResponse> {
  const request: AgentRequest = {
    runId: 'run-1',
    turn: 1,
    attempt: 1,
    replies: 0,
    conversation: task,
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
    ...changes,
  }
  return agent.next(request, signal)
}
