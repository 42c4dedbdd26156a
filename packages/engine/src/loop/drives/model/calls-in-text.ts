import type { FittedConversation } from '@donecheck/core/prompts'
import type { Round, ToolAnswer } from '@donecheck/core/state'
import type { ToolCall } from '@donecheck/core/events'

/**
 * The same conversation with its calls and results as plain text. Some providers refuse a request that has calls in it and
 * offers no tools, which is how a drive is asked for its final summary.
 */
export function withCallsInText(conversation: FittedConversation): FittedConversation {
  return { ...conversation, rounds: conversation.rounds.map(roundInText) }
}

function roundInText(round: Round): Round {
  const { text, toolCalls, answers, feedback } = round
  if (toolCalls.length === 0) return round
  const results = toolCalls.map((call) =>
    resultOf(
      call,
      answers.find(({ callId }) => callId === call.callId),
    ),
  )
  return {
    ...round,
    text: paragraphs([text, ...toolCalls.map(callOf)]),
    toolCalls: [],
    answers: [],
    feedback: paragraphs([...results, feedback ?? '']),
  }
}

function callOf({ tool, args }: ToolCall): string {
  return `[I called ${tool} with ${typeof args === 'string' ? args : JSON.stringify(args)}]`
}

function resultOf({ tool }: ToolCall, answer: ToolAnswer | undefined): string {
  if (answer === undefined) return `[The result of ${tool} is not known.]`
  return `[${tool} ${answer.failed ? 'failed' : 'gave'}: ${answer.output === '' ? '(no output)' : answer.output}]`
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}
