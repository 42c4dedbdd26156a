/** From what was read of a turn to what a drive answers. */
import type { DriveFailure, FinishKind } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import type { DriveAnswer, ProposedCall } from '@donecheck/engine/ports/loop'
import type { TurnEnded } from './agent-signal.ts'
import type { TurnInFlight, TurnOver } from './turn-in-flight.ts'
import { noUsage } from './usage.ts'

type Replied = Extract<DriveAnswer, { kind: 'replied' }>

/** What an agent says of its spending. */
export interface Reported {
  readonly usage: boolean
  readonly cost: boolean
  readonly timeoutMs: number | null
}

export const interrupted: DriveAnswer = failedAnswer({
  kind: 'interrupted',
  message: 'the agent was interrupted',
  retryable: true,
})

interface ReplyParts {
  readonly text: string
  readonly finish: FinishKind
  readonly toolCalls?: readonly ProposedCall[]
  /** Undefined: it is told with another reply. Null: nobody will tell. */
  readonly usage: TokenUsage | null | undefined
  readonly costUsd?: number | undefined
}

export function replyOf(parts: ReplyParts, reported: Reported): Replied {
  const { text, finish, toolCalls = [], usage, costUsd = 0 } = parts
  return {
    kind: 'replied',
    text,
    toolCalls,
    finish,
    usage: reported.usage ? (usage === undefined ? noUsage : usage) : null,
    ...(reported.cost ? { costUsd: Math.max(0, costUsd) } : {}),
  }
}

interface EndAnswer {
  readonly answer: DriveAnswer
  /** False: the turn has more to say to the next question. */
  readonly isLast: boolean
}

/** What comes when every reply with calls was handed on. */
export function answerAtEnd(
  turn: TurnInFlight,
  over: TurnOver,
  reported: Reported,
  signal: AbortSignal,
): EndAnswer {
  const timeoutSeconds = (reported.timeoutMs ?? 0) / 1000
  switch (over.kind) {
    case 'ended':
      return atEnd(turn, over.ended, reported)
    case 'broken-off':
      return last(signal.aborted ? interrupted : brokenReply(turn, 'it was broken off', reported))
    case 'timed-out':
      return last(brokenReply(turn, `it did not end within ${timeoutSeconds} s and was stopped`, reported))
    case 'torn':
      return last(brokenReply(turn, over.message, reported))
    case 'session-lost':
      return last(failedAnswer({ kind: 'configuration', message: over.message, retryable: false }))
  }
}

function last(answer: DriveAnswer): EndAnswer {
  return { answer, isLast: true }
}

function atEnd(turn: TurnInFlight, ended: TurnEnded, reported: Reported): EndAnswer {
  const { failure, problem, wasCutOff } = ended
  const rest = turn.rest()
  if (failure !== undefined) {
    // A failure books nothing: what was used before it is a reply of its own.
    const isSpent = rest.usage !== undefined || rest.costUsd !== undefined || rest.text !== ''
    return isSpent
      ? { isLast: false, answer: replyOf({ ...rest, finish: 'tool-calls' }, reported) }
      : last(failedAnswer(failure))
  }
  const text = ended.text.trim() === '' ? rest.text : ended.text
  if (rest.text.trim() === '') turn.say(text)
  const claims = wasCutOff === true ? 'length' : 'stop'
  const usage = rest.usage ?? (turn.hasTold ? undefined : null)
  const reply = replyOf({ ...rest, text, usage, finish: problem === undefined ? claims : 'other' }, reported)
  return last(problem === undefined ? reply : { ...reply, problem })
}

/** A turn without an end that the agent made is no claim, and what its last step has used nobody has told. */
function brokenReply(turn: TurnInFlight, problem: string, reported: Reported): DriveAnswer {
  const rest = turn.rest()
  return { ...replyOf({ ...rest, usage: rest.usage ?? null, finish: 'other' }, reported), problem }
}

function failedAnswer(failure: DriveFailure): DriveAnswer {
  return { kind: 'failed', failure, usage: null }
}
