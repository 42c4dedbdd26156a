/** What a turn of an external agent is told. */
import type { Conversation, Message, Round } from '../../state/index.ts'

/** To an agent that remembers nothing: the task with every message that lasts, then what happened last. */
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
 * To an agent that continues the session in which it has worked on the task: only what it does not know.
 * @param heard number of messages that earlier prompts of this session contained; by default those from before its last turn
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

/** Number of rounds before the last turn: its prompt had the messages up to there. */
function lastTurnStart(rounds: readonly Round[]): number {
  return rounds.slice(0, -1).findLastIndex(({ toolCalls }) => toolCalls.length === 0) + 1
}

function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n')
}

/** A reply with calls of an agent's own is a step of a turn. */
function turnsIn(rounds: readonly Round[]): number {
  return Math.max(1, rounds.filter(({ toolCalls }) => toolCalls.length === 0).length)
}

/** Steps of a turn that was broken off have none; what was said before them still stands. */
function lastFeedback(rounds: readonly Round[]): string | undefined {
  return rounds.findLast(({ toolCalls, feedback }) => toolCalls.length === 0 || feedback !== undefined)
    ?.feedback
}

function workedBefore(turns: number): string {
  const often = turns === 1 ? '1 turn' : `${turns} turns`
  return `You have worked on this task before (${often}). What you did is in place: look at it, then go on. What happened last:`
}

function problemOf({ problem }: Round): string | undefined {
  return problem === undefined ? undefined : `Your last turn had a problem: ${problem}`
}
