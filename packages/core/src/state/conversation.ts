/** The other fold of the stream: what a drive is told. A round is whole, so a result never loses its call. */
import { isReportedAtOnce } from '../events/gate/index.ts'
import type { RunEvent, ToolCall } from '../events/index.ts'

export interface ToolAnswer {
  readonly callId: string
  readonly tool: string
  readonly output: string
  readonly failed: boolean
}

/** One reply of the drive, with what came back for it. */
export interface Round {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** As many as calls, in their order, once the round is over. */
  readonly answers: readonly ToolAnswer[]
  /** An external agent crashed, hung or said nothing in this round. */
  readonly problem?: string
  /** What the program says after the round. */
  readonly feedback: string | undefined
}

export interface Conversation {
  readonly task: string
  readonly rounds: readonly Round[]
  /** Told before the next reply: a call of the drive itself was broken off and its effects are unknown, or a hook has something to say. */
  readonly notice: string | undefined
}

export const emptyConversation: Conversation = { task: '', rounds: [], notice: undefined }

export function converse(conversation: Conversation, event: RunEvent): Conversation {
  switch (event.type) {
    case 'goal-set':
      return { ...conversation, task: event.task }
    case 'goal-changed':
      if (event.change.kind === 'message-given')
        return { ...conversation, notice: joinTexts(conversation.notice, event.change.text) }
      return event.change.kind === 'replaced' || event.change.kind === 'objective-edited'
        ? { ...conversation, task: event.change.objective }
        : conversation
    case 'drive-steered':
    case 'memory-recalled':
      return { ...conversation, notice: joinTexts(conversation.notice, event.text) }
    case 'model-replied':
      return {
        ...conversation,
        notice: undefined,
        rounds: [
          ...conversation.rounds,
          {
            text: event.text,
            ...(event.problem === undefined ? {} : { problem: event.problem }),
            toolCalls: event.toolCalls,
            answers: [],
            feedback: undefined,
          },
        ],
      }
    case 'model-failed':
      return event.notice === undefined ? conversation : { ...conversation, notice: event.notice }
    case 'hook-ran':
      return event.told !== undefined && isReportedAtOnce(event.point)
        ? { ...conversation, notice: joinTexts(conversation.notice, event.told) }
        : conversation
    case 'tool-returned':
      return answer(conversation, event.callId, event.output, event.status !== 'ok')
    case 'tool-refused':
      return answer(conversation, event.callId, `Refused (${event.by}): ${event.reason}`, true)
    case 'turn-ended': {
      const { feedback } = event
      return feedback === undefined
        ? conversation
        : updateLast(conversation, (round) => ({ ...round, feedback }))
    }
    default:
      return conversation
  }
}

function joinTexts(before: string | undefined, reported: string): string {
  return before === undefined ? reported : `${before}\n\n${reported}`
}

function updateLast(conversation: Conversation, change: (round: Round) => Round): Conversation {
  const last = conversation.rounds.at(-1)
  if (last === undefined) return conversation
  return { ...conversation, rounds: [...conversation.rounds.slice(0, -1), change(last)] }
}

function answer(conversation: Conversation, callId: string, output: string, failed: boolean): Conversation {
  return updateLast(conversation, (round) => {
    const tool = round.toolCalls.find((call) => call.callId === callId)?.tool ?? 'unknown'
    return { ...round, answers: [...round.answers, { callId, tool, output, failed }] }
  })
}
