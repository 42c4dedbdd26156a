/**
 * A conversation in the words of the AI SDK. What comes out is accepted by every provider: each call has its result,
 * names and texts are well-formed, no message is empty, no two user messages follow each other, the model never has
 * the last word.
 */
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import type { FittedConversation } from '@donecheck/core/prompts'
import type { JsonValue, ToolCall } from '@donecheck/core/events'
import type { Round, ToolAnswer } from '@donecheck/core/state'
import { isJsonList } from '../../../base/index.ts'

interface TextMessage {
  readonly role: 'user'
  readonly content: string
}
type Message = TextMessage | AssistantModelMessage | ToolModelMessage

export function messagesOf(conversation: FittedConversation): ModelMessage[] {
  const { task, rounds, messages: said, omittedRounds } = conversation
  const messagesAfter = (count: number) =>
    said.filter(({ afterRounds }) => afterRounds === count).flatMap(({ text }) => user(text))
  const messages = mergeUsers([
    ...user(task),
    ...messagesAfter(0),
    ...user(omittedRounds > 0 ? `[${omittedRounds} earlier turns were left out to fit the context.]` : ''),
    ...rounds.flatMap((round, index) => [
      ...assistant(round),
      ...results(round),
      ...user(round.feedback ?? ''),
      ...messagesAfter(index + 1),
    ]),
  ])
  const endsWithModel = messages.at(-1)?.role === 'assistant' || messages.length === 0
  return endsWithModel ? [...messages, { role: 'user', content: 'Go on.' }] : messages
}

function user(text: string): readonly TextMessage[] {
  return text.trim() === '' ? [] : [{ role: 'user', content: text.toWellFormed() }]
}

function assistant({ text, toolCalls }: Round): readonly AssistantModelMessage[] {
  const said = text.trim() === '' ? [] : [{ type: 'text' as const, text: text.toWellFormed() }]
  const content = [...said, ...toolCalls.map(callPart)]
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}

function callPart(call: ToolCall) {
  const { callId: toolCallId, tool } = call
  return { type: 'tool-call' as const, toolCallId, toolName: toolName(tool), input: argumentsOf(call) }
}

/** Providers take an object only, so anything else is shown inside one. */
function argumentsOf({ args }: ToolCall): JsonValue {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  return wellFormed(isObject ? args : { unreadable_arguments: args })
}

function results({ toolCalls, answers }: Round): readonly ToolModelMessage[] {
  if (toolCalls.length === 0) return []
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]))
  return [{ role: 'tool', content: toolCalls.map((call) => resultPart(call, byCall.get(call.callId))) }]
}

function resultPart(call: ToolCall, answer: ToolAnswer | undefined) {
  const value = (answer?.output ?? 'The result of this call is not known.').toWellFormed()
  return {
    type: 'tool-result' as const,
    toolCallId: call.callId,
    toolName: toolName(call.tool),
    output: {
      type: answer === undefined || answer.failed ? ('error-text' as const) : ('text' as const),
      value: value === '' ? '(no output)' : value,
    },
  }
}

/** A name that the model made up must not make the provider refuse the whole conversation. */
function toolName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return safe === '' ? 'unnamed' : safe
}

/** Cutting may have split a surrogate pair, and half of one is refused by some providers. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (isJsonList(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]),
  )
}

function mergeUsers(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (message.role === 'user' && last?.role === 'user')
      merged.splice(-1, 1, { role: 'user', content: `${last.content}\n\n${message.content}` })
    else merged.push(message)
  }
  return merged
}
