/** What a turn of an external agent is told. */
import type { Conversation, Round } from '../../state/index.ts'

/** To an agent that remembers nothing: the task first, then what happened last, and no more than that. */
export function promptFor({ task, rounds, notice }: Conversation): string {
  const last = rounds.at(-1)
  const parts =
    last === undefined
      ? [notice]
      : [workedBefore(turnsIn(rounds)), problemOf(last), notice, lastFeedback(rounds)]
  return joinParts([task, ...parts])
}

/** To an agent that goes on with the session in which it has worked on the task: only what it does not know. */
export function newsFor({ task, rounds, notice }: Conversation): string {
  const last = rounds.at(-1)
  if (last === undefined) return joinParts([task, notice])
  const news = joinParts([problemOf(last), notice, last.feedback])
  return news === '' ? 'Go on with the task.' : news
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
