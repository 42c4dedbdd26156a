import type { ModelMessage, AssistantModelMessage, ToolModelMessage } from 'ai'
import { fitConversation, type FittedConversation } from '@donecheck/core/internal/decide/prompts'
import { estimateTokens } from '@donecheck/core/internal/budgets'
import { dropRounds, type Conversation, type Round, type ToolAnswer } from '@donecheck/core/internal/state'
import type { ToolDescription } from '../../../ports/loop.ts'
import type { ToolCall, JsonValue } from '@donecheck/core/internal/events'
import { isJsonList } from '../../../base/index.ts'

interface PromptParts {
  readonly conversation: Conversation
  readonly tools: readonly ToolDescription[]
  readonly instructions: string | undefined
}

export interface PromptBudget {
  readonly maxTokens: number
  /** Real tokens per estimated token. */
  readonly calibration: number
}

export interface Prompt {
  readonly instructions: string
  readonly messages: ModelMessage[]
  readonly estimatedTokens: number
}

type FittedPrompt =
  | { readonly kind: 'fits'; readonly prompt: Prompt }
  | { readonly kind: 'no-room'; readonly fixedTokens: number }

/** A smaller conversation cannot continue. */
const smallestConversationTokens = 256
const messageOverheadTokens = 8
/** Ratios tried in turn: many small texts cost more than estimated. */
const shares = [1, 0.85, 0.7, 0.5, 0.3, 0.15]

export function fitPrompt(parts: PromptParts, budget: PromptBudget): FittedPrompt {
  const { conversation, tools } = parts
  const instructions = systemPrompt(tools, parts.instructions)
  const fixedTokens = messageCost(instructions) + tools.reduce((sum, tool) => sum + toolCost(tool), 0)
  if (budget.maxTokens - fixedTokens < smallestConversationTokens) return { kind: 'no-room', fixedTokens }
  const calibrated = Math.floor(budget.maxTokens / budget.calibration) - fixedTokens
  const room = Math.max(smallestConversationTokens, calibrated)
  const prompt = firstThatFits(conversation, room, (fitted) =>
    promptOf(instructions, fixedTokens, tools.length === 0 ? withCallsInText(fitted) : fitted),
  )
  return { kind: 'fits', prompt }
}

function firstThatFits(
  conversation: Conversation,
  room: number,
  show: (fitted: FittedConversation) => Prompt,
): Prompt {
  const candidates = [
    conversation,
    withoutLatestRound(conversation),
    withoutLatestRound(dropRounds(conversation, conversation.rounds.length - 1)),
  ]
  let prompt: Prompt | undefined
  for (const candidate of candidates)
    for (const share of shares) {
      prompt = show(fitConversation(candidate, Math.floor(room * share)))
      if (costOfAll(prompt.messages) <= room) return prompt
    }
  return prompt ?? show({ ...conversation, rounds: [], omittedRounds: conversation.rounds.length })
}

function promptOf(instructions: string, fixedTokens: number, conversation: FittedConversation): Prompt {
  const messages = messagesOf(conversation)
  return { instructions, messages, estimatedTokens: fixedTokens + costOfAll(messages) }
}

function costOfAll(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + costOf(message), 0)
}

function withoutLatestRound(conversation: Conversation): Conversation {
  const latest = conversation.rounds.at(-1)
  if (latest === undefined) return conversation
  const note = `[Your latest reply, with ${latest.toolCalls.length} tool calls, was too large for the context and is left out. Take smaller steps.]`
  const feedback = latest.feedback === undefined ? note : `${note}\n\n${latest.feedback}`
  const earlier = conversation.rounds.slice(0, -1)
  return { ...conversation, rounds: [...earlier, { text: '', toolCalls: [], answers: [], feedback }] }
}

function costOf(message: ModelMessage): number {
  if (typeof message.content === 'string') return messageCost(message.content)
  return message.content.reduce((sum, part) => sum + messageCost(textOf(part)), 0)
}

function textOf(part: Exclude<ModelMessage['content'], string>[number]): string {
  if (part.type === 'text') return part.text
  if (part.type === 'tool-call') return part.toolName + JSON.stringify(part.input)
  if (part.type === 'tool-result' && 'value' in part.output && typeof part.output.value === 'string')
    return part.toolName + part.output.value
  return JSON.stringify(part)
}

function messageCost(text: string): number {
  return estimateTokens(text) + messageOverheadTokens
}

function toolCost({ name, description, parameters }: ToolDescription): number {
  return messageCost(name + description + JSON.stringify(parameters))
}

/** Some providers refuse calls in a request without tools, as for the final summary. */
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

/** @param extra user instructions, last and uncut */
export function systemPrompt(tools: readonly ToolDescription[], extra?: string): string {
  const parts = [tools.length === 0 ? withoutTools : withTools(tools), aboutDone, extra?.trim() ?? '']
  return parts.filter((part) => part !== '').join('\n\n')
}

const withoutTools = 'You solve a task in several turns. You have no tools: answer with text.'

function withTools(tools: readonly ToolDescription[]): string {
  return [
    `You solve a task in several turns by calling tools (${tools.map(({ name }) => name).join(', ')}).`,
    'All work happens in one work folder. Give paths relative to it; what lies outside is out of bounds.',
    'Look before you change something. A refused call stays refused: find another way, or say what you need.',
  ].join('\n')
}

const aboutDone = [
  'You do not decide when the task is done: checks do, which the program runs after your turns.',
  'When you think that you are finished, answer in a few sentences without calling a tool. You are then told what the checks found.',
  'Never weaken, skip or edit a check to make it pass, and never claim what you have not seen.',
].join('\n')

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

/** Some providers refuse the conversation if it has an invalid tool name. */
function toolName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return safe === '' ? 'unnamed' : safe
}

/** Cutting may split a surrogate pair, and some providers refuse half of one. */
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
