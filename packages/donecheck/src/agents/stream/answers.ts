/** From what was read of a turn to what a drive answers. */
import type { DriveFailure, FinishKind, TokenUsage } from '../../events/index.ts'
import type { DriveAnswer, ProposedCall } from '../../ports.ts'
import type { TurnEnded } from './agent-signal.ts'
import type { TurnInFlight, TurnOver } from './turn-in-flight.ts'
import { noUsage } from './usage.ts'

type Replied = Extract<DriveAnswer, { kind: 'replied' }>

/** What an agent says of its spending. */
export interface Told {
  readonly usage: boolean
  readonly cost: boolean
  readonly timeoutMs: number | null
}

export const interrupted: DriveAnswer = failed({
  kind: 'interrupted',
  message: 'the agent was interrupted',
  retryable: true,
})

export interface ReplyParts {
  readonly text: string
  readonly finish: FinishKind
  readonly toolCalls?: readonly ProposedCall[]
  /** Undefined: it is told with another reply. Null: nobody will tell. */
  readonly usage: TokenUsage | null | undefined
  readonly costUsd?: number | undefined
}

export function replyOf(parts: ReplyParts, told: Told): Replied {
  const { text, finish, toolCalls = [], usage, costUsd = 0 } = parts
  return {
    kind: 'replied',
    text,
    toolCalls,
    finish,
    usage: told.usage ? (usage === undefined ? noUsage : usage) : null,
    ...(told.cost ? { costUsd: Math.max(0, costUsd) } : {}),
  }
}

export interface EndAnswer {
  readonly answer: DriveAnswer
  /** False: the turn has more to say to the next question. */
  readonly isLast: boolean
}

/** What comes when every reply with calls was handed on. */
export function answerAtEnd(turn: TurnInFlight, over: TurnOver, told: Told, signal: AbortSignal): EndAnswer {
  switch (over.kind) {
    case 'ended':
      return atEnd(turn, over.ended, told)
    case 'broken-off':
      return {
        isLast: true,
        answer: signal.aborted ? interrupted : brokenReply(turn, 'it was broken off', told),
      }
    case 'timed-out':
      return {
        isLast: true,
        answer: brokenReply(
          turn,
          `it did not end within ${(told.timeoutMs ?? 0) / 1000} s and was stopped`,
          told,
        ),
      }
    case 'torn':
      return { isLast: true, answer: brokenReply(turn, over.message, told) }
    case 'session-lost':
      return {
        isLast: true,
        answer: failed({ kind: 'configuration', message: over.message, retryable: false }),
      }
  }
}

function atEnd(turn: TurnInFlight, ended: TurnEnded, told: Told): EndAnswer {
  const { failure, problem, wasCutOff } = ended
  const rest = turn.rest()
  if (failure !== undefined) {
    // A failure books nothing: what was used before it is a reply of its own.
    const isSpent = rest.usage !== undefined || rest.costUsd !== undefined || rest.text !== ''
    return isSpent
      ? { isLast: false, answer: replyOf({ ...rest, finish: 'tool-calls' }, told) }
      : { isLast: true, answer: failed(failure) }
  }
  const text = ended.text.trim() === '' ? rest.text : ended.text
  if (rest.text.trim() === '') turn.say(text)
  const claims = wasCutOff === true ? 'length' : 'stop'
  const usage = rest.usage ?? (turn.hasTold ? undefined : null)
  const reply = replyOf({ ...rest, text, usage, finish: problem === undefined ? claims : 'other' }, told)
  return { isLast: true, answer: problem === undefined ? reply : { ...reply, problem } }
}

/** A turn without an end that the agent made is no claim, and what its last step has used nobody has told. */
function brokenReply(turn: TurnInFlight, problem: string, told: Told): DriveAnswer {
  const rest = turn.rest()
  return { ...replyOf({ ...rest, usage: rest.usage ?? null, finish: 'other' }, told), problem }
}

function failed(failure: DriveFailure): DriveAnswer {
  return { kind: 'failed', failure, usage: null }
}
