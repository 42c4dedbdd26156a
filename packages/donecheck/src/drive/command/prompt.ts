import type { Conversation, Round } from '../../events/index.ts'

/**
 * What one turn of an external agent is told. Its process starts anew every turn and remembers nothing: the task first,
 * then what happened last, and no more than that.
 */
export function promptFor({ task, rounds, notice }: Conversation): string {
  const last = rounds.at(-1)
  const parts =
    last === undefined ? [notice] : [workedBefore(rounds.length), problemOf(last), notice, last.feedback]
  return [task, ...parts].filter((part) => part !== undefined && part.trim() !== '').join('\n\n')
}

function workedBefore(turns: number): string {
  const often = turns === 1 ? '1 turn' : `${turns} turns`
  return `You have worked on this task before (${often}). What you did is in place: look at it, then go on. What happened last:`
}

function problemOf({ problem }: Round): string | undefined {
  return problem === undefined ? undefined : `Your last turn had a problem: ${problem}`
}
