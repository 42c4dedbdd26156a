/** Folds the conversation from the events. Rounds are complete, so a result never loses its call. */
import { isReportedAtOnce } from '../events/gate/index.ts'
import type { RunEvent, ToolCall } from '../events/index.ts'

export interface ToolAnswer {
  readonly callId: string
  readonly tool: string
  readonly output: string
  readonly failed: boolean
}

export interface Round {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** One per call, in order, once the round is complete. */
  readonly answers: readonly ToolAnswer[]
  readonly problem?: string
  /** donecheck's message after the round. */
  readonly feedback: string | undefined
}

/** From the user, the memory, the goal or a hook, or about an interrupted call. */
export interface Message {
  readonly text: string
  readonly afterRounds: number
  /** It survives trimming, as the task does. */
  readonly isLasting: boolean
}

export interface Conversation {
  readonly task: string
  readonly rounds: readonly Round[]
  readonly messages: readonly Message[]
}

export const emptyConversation: Conversation = { task: '', rounds: [], messages: [] }

export function converse(conversation: Conversation, event: RunEvent): Conversation {
  switch (event.type) {
    case 'goal-set':
      return { ...conversation, task: event.task }
    case 'goal-changed':
      if (event.change.kind === 'message-given') return addMessage(conversation, event.change.text, true)
      return event.change.kind === 'replaced' || event.change.kind === 'objective-edited'
        ? { ...conversation, task: event.change.objective }
        : conversation
    case 'agent-steered':
    case 'memory-recalled':
      return addMessage(conversation, event.text, true)
    case 'model-replied':
      return {
        ...conversation,
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
      return event.notice === undefined ? conversation : addMessage(conversation, event.notice, false)
    case 'hook-ran':
      return event.told !== undefined && isReportedAtOnce(event.point)
        ? addMessage(conversation, event.told, false)
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

/** Adds a message after the rounds so far, unless it repeats the latest one. */
function addMessage(conversation: Conversation, text: string, isLasting: boolean): Conversation {
  const { messages, rounds } = conversation
  const latest = messages.at(-1)
  if (latest?.text === text && latest.afterRounds === rounds.length) return conversation
  return { ...conversation, messages: [...messages, { text, afterRounds: rounds.length, isLasting }] }
}

/** Removes the oldest rounds and the temporary messages between them. */
export function dropRounds(conversation: Conversation, count: number): Conversation {
  if (count <= 0) return conversation
  const messages = conversation.messages
    .filter(
      ({ isLasting, afterRounds }) =>
        isLasting || afterRounds > count || afterRounds === conversation.rounds.length,
    )
    .map((message) => ({ ...message, afterRounds: Math.max(0, message.afterRounds - count) }))
  return { ...conversation, rounds: conversation.rounds.slice(count), messages }
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
