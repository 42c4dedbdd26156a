/**
 * Fits a conversation into a token budget. The task, lasting messages and the latest round stay; the oldest
 * middle rounds are dropped first. Rounds are dropped in full, so no tool result is separated from its call.
 */
import { plural } from '../../base/index.ts'
import { estimateTokens } from '../../budgets/index.ts'
import type { JsonValue, ToolCall } from '../../events/index.ts'
import { dropRounds, type Conversation, type Message, type Round } from '../../state/index.ts'

export interface FittedConversation extends Conversation {
  readonly omittedRounds: number
}

/**
 * Parts that must stay are cut to these ratios if larger. They are computed without rounding and add up to
 * less than one, so a larger budget never leaves less for earlier rounds.
 */
const shares = { task: 0.3, messages: 0.15, latestRound: 0.5 }
/** A message that would get fewer tokens is left out, the oldest first. */
const leastMessageTokens = 24

/** @param maxTokens estimated limit for task, rounds and messages together */
export function fitConversation(conversation: Conversation, maxTokens: number): FittedConversation {
  const { task, rounds, messages } = conversation
  const latest = rounds.at(-1)
  const room = (share: number, cost: number) => Math.min(share * maxTokens, cost)
  const isBetween = ({ isLasting, afterRounds }: Message) =>
    !isLasting && afterRounds > 0 && afterRounds < rounds.length
  let left =
    maxTokens -
    room(shares.task, textCost(task)) -
    room(shares.messages, messagesCost(messages.filter((message) => !isBetween(message)))) -
    room(shares.latestRound, latest === undefined ? 0 : roundCost(latest))
  let omittedRounds = Math.max(0, rounds.length - 1)
  for (const round of rounds.slice(0, -1).reverse()) {
    const after = messages.filter((one) => isBetween(one) && one.afterRounds === omittedRounds)
    left -= roundCost(round) + messagesCost(after)
    if (left < 0) break
    omittedRounds -= 1
  }
  const fitted = {
    task: cutText(task, shares.task * maxTokens),
    messages: cutMessages(messages, isBetween, shares.messages * maxTokens),
    rounds:
      latest === undefined ? [] : [...rounds.slice(0, -1), cutRound(latest, shares.latestRound * maxTokens)],
  }
  return { ...dropRounds(fitted, omittedRounds), omittedRounds }
}

/** Drops the oldest if there are too many, then cuts the longest to one level. */
function cutMessages(
  messages: readonly Message[],
  isPaidWithRounds: (message: Message) => boolean,
  maxTokens: number,
): readonly Message[] {
  const own = messages.filter((message) => !isPaidWithRounds(message))
  if (messagesCost(own) <= maxTokens) return messages
  const kept = own.slice(-Math.max(1, Math.floor(maxTokens / leastMessageTokens)))
  const costs = kept.map(({ text }) => textCost(text))
  const level = Math.floor(commonLevel(costs, maxTokens))
  return messages
    .filter((message) => isPaidWithRounds(message) || kept.includes(message))
    .map((message) =>
      isPaidWithRounds(message) ? message : { ...message, text: cutText(message.text, level) },
    )
}

function messagesCost(messages: readonly Message[]): number {
  return messages.reduce((sum, { text }) => sum + textCost(text), 0)
}

/** Cuts the longest parts first, all to one level. */
function cutRound(round: Round, maxTokens: number): Round {
  if (roundCost(round) <= maxTokens) return round
  const { text, toolCalls, answers, feedback } = round
  const costs = [
    textCost(text),
    textCost(feedback ?? ''),
    ...toolCalls.map(callCost),
    ...answers.map(({ output }) => textCost(output)),
  ]
  const level = Math.floor(commonLevel(costs, maxTokens))
  return {
    ...round,
    text: cutText(text, level),
    toolCalls: toolCalls.map((call) => cutCall(call, level)),
    answers: answers.map((answer) => ({ ...answer, output: cutText(answer.output, level) })),
    feedback: feedback === undefined ? undefined : cutText(feedback, level),
  }
}

/** The highest level at which all costs, each capped at it, fit the total. */
function commonLevel(costs: readonly number[], whole: number): number {
  let left = whole
  const rising = costs.toSorted((one, other) => one - other)
  for (const [index, cost] of rising.entries()) {
    const level = left / (rising.length - index)
    if (cost > level) return level
    left -= cost
  }
  return Number.POSITIVE_INFINITY
}

const messageOverheadTokens = 8
const charactersPerToken = 3.5

function textCost(text: string): number {
  return text === '' ? 0 : estimateTokens(text) + messageOverheadTokens
}

function callCost({ tool, args }: ToolCall): number {
  return textCost(tool + JSON.stringify(args))
}

function roundCost(round: Round): number {
  const calls = round.toolCalls.reduce((sum, call) => sum + callCost(call), 0)
  const answers = round.answers.reduce((sum, { output }) => sum + textCost(output), 0)
  return textCost(round.text) + calls + answers + textCost(round.feedback ?? '')
}

const mark = '\n[... cut to fit the context ...]\n'

/** Keeps both ends of a text, or only its start if both do not fit. */
function cutText(text: string, maxCost: number): string {
  if (textCost(text) <= maxCost) return text
  const characters = Math.max(1, Math.floor((maxCost - messageOverheadTokens) * charactersPerToken))
  if (characters < 3 * mark.length) return text.slice(0, characters).toWellFormed()
  const room = characters - mark.length
  const head = Math.ceil(room / 2)
  return `${text.slice(0, head)}${mark}${text.slice(head - room)}`.toWellFormed()
}

/** Turns arguments that cost too much into one text, cut by its JSON cost; objects keep their shape. */
function cutCall(call: ToolCall, maxCost: number): ToolCall {
  if (callCost(call) <= maxCost) return call
  const written = JSON.stringify(call.args)
  const withArguments = (characters: number): ToolCall => {
    const args: JsonValue = characters > 0 ? { cut: written.slice(0, characters).toWellFormed() } : {}
    return { ...call, args }
  }
  let characters = Math.floor((maxCost - messageOverheadTokens) * charactersPerToken)
  while (characters > 0 && callCost(withArguments(characters)) > maxCost)
    characters = Math.floor(characters * 0.8)
  return withArguments(characters)
}

/** For an agent without memory: the task with every lasting message, then the last round. */
export function promptFor({ task, rounds, messages }: Conversation): string {
  const last = rounds.at(-1)
  if (last === undefined) return joinParts([task, ...messages.map(({ text }) => text)])
  const isNew = ({ afterRounds }: Message) => afterRounds > lastTurnStart(rounds)
  const earlier = messages.filter((message) => message.isLasting && !isNew(message))
  return joinParts([
    task,
    ...earlier.map(({ text }) => text),
    workedBefore(turnsIn(rounds)),
    problemOf(last),
    ...messages.filter(isNew).map(({ text }) => text),
    lastFeedback(rounds),
  ])
}

/**
 * For an agent that continues its session: only what it has not been sent.
 * @param heard number of messages in earlier prompts of this session; default: those before its last turn
 */
export function newsFor({ task, rounds, messages }: Conversation, heard?: number): string {
  const last = rounds.at(-1)
  if (last === undefined) return joinParts([task, ...messages.map(({ text }) => text)])
  const unheard = messages.filter(({ afterRounds }, index) =>
    heard === undefined ? afterRounds > lastTurnStart(rounds) : index >= heard,
  )
  const news = joinParts([problemOf(last), ...unheard.map(({ text }) => text), last.feedback])
  return news === '' ? 'Go on with the task.' : news
}

/** The number of rounds before the last turn, whose prompt held the messages up to there. */
function lastTurnStart(rounds: readonly Round[]): number {
  return rounds.slice(0, -1).findLastIndex(({ toolCalls }) => toolCalls.length === 0) + 1
}

function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n')
}

/** A reply that contains an agent's own calls is a step of a turn. */
function turnsIn(rounds: readonly Round[]): number {
  return Math.max(1, rounds.filter(({ toolCalls }) => toolCalls.length === 0).length)
}

/** Steps of an interrupted turn have no feedback; the earlier one still applies. */
function lastFeedback(rounds: readonly Round[]): string | undefined {
  return rounds.findLast(({ toolCalls, feedback }) => toolCalls.length === 0 || feedback !== undefined)
    ?.feedback
}

function workedBefore(turns: number): string {
  return `You have worked on this task before (${plural(turns, 'turn')}). What you did is in place: look at it, then go on. What happened last:`
}

function problemOf({ problem }: Round): string | undefined {
  return problem === undefined ? undefined : `Your last turn had a problem: ${problem}`
}
