import { spend } from './spending.ts'
import type { RunEvent, FactOf } from '../events/index.ts'
import {
  type FinalSummaryState,
  type RunState,
  newTracker,
  countNudge,
  type TokenBudgetState,
  type JudgedReply,
  type ReplyCheckState,
  noExchange,
} from './state.ts'
import { textAt } from './activity/index.ts'
import { pendingCallOf } from './readings.ts'
import type { Verdict } from '../events/verdicts/index.ts'

/** Output tokens of the task so far, sub-runs included. */
export function turnTokensOf({ consumption, tokenBudget }: RunState): number {
  return consumption.outputTokens - tokenBudget.notCountedTokens
}

export function evolveTokenBudget(state: RunState, event: RunEvent): TokenBudgetState {
  const { tokenBudget } = state
  switch (event.type) {
    case 'goal-set':
      return { tracker: newTracker(event.timeMs), notCountedTokens: state.consumption.outputTokens }
    case 'turn-ended':
      return event.transition.kind === 'continue' && state.tally.claimed
        ? { ...tokenBudget, tracker: countNudge(tokenBudget.tracker, turnTokensOf(state)) }
        : tokenBudget
    case 'final-summary-replied':
      return {
        ...tokenBudget,
        notCountedTokens: tokenBudget.notCountedTokens + (event.usage?.outputTokens ?? 0),
      }
    default:
      return tokenBudget
  }
}

export function evolveFinalSummary(
  { finalSummary }: RunState,
  event: RunEvent,
): FinalSummaryState | undefined {
  switch (event.type) {
    case 'final-summary-called':
      return { end: event.end, reply: undefined }
    case 'final-summary-replied': {
      const { text, problem } = event
      const reply = problem === undefined ? { text } : { text, problem }
      return finalSummary === undefined ? undefined : { ...finalSummary, reply }
    }
    // The end is decided again; the summary holds until another turn.
    case 'run-resumed':
      return finalSummary === undefined ? undefined : { ...finalSummary, end: undefined }
    case 'model-called':
      return undefined
    default:
      return finalSummary
  }
}

/** A call without result and known price costs nothing. */
export function finalSummaryBooked(
  state: RunState,
  fact: FactOf<'final-summary-called'> | FactOf<'final-summary-replied'>,
): RunState {
  const { consumption } = state
  if (fact.type === 'final-summary-called')
    return { ...state, consumption: { ...consumption, modelCalls: consumption.modelCalls + 1 } }
  if (fact.usage === null && fact.problem !== undefined) return state
  return { ...state, consumption: spend(consumption, fact.usage, fact.costUsd) }
}

/** @param state before the event. Undefined if replies are not verified. */
export function evolveReplies(state: RunState, event: RunEvent): ReplyCheckState | undefined {
  const { replyCheck } = state
  if (replyCheck === undefined) return undefined
  const { exchange, settled } = replyCheck
  switch (event.type) {
    case 'model-replied': {
      const isError = event.problem !== undefined || event.finish === 'length' || event.finish === 'other'
      const latest = { text: event.text, calls: event.toolCalls.length, isError }
      const streamed = exchange.streamed || event.streamed === true
      return { ...replyCheck, latest, exchange: { ...exchange, streamed } }
    }
    case 'tool-called': {
      const sends = isSend(state, event) ? [...exchange.sends, event.callId] : exchange.sends
      return { ...replyCheck, exchange: { ...exchange, calls: exchange.calls + 1, sends } }
    }
    // A failed call sent nothing; an interrupted one may have.
    case 'tool-returned':
      return event.status === 'error'
        ? {
            ...replyCheck,
            exchange: { ...exchange, sends: exchange.sends.filter((one) => one !== event.callId) },
          }
        : replyCheck
    case 'turn-ended': {
      const retries = replyCheck.retries + (event.transition.reason === 'reply_feedback' ? 1 : 0)
      return { ...replyCheck, retries, exchange: state.tally.claimed ? noExchange : exchange }
    }
    case 'reply-judged':
      return { ...replyCheck, judged: [...replyCheck.judged, judgedReply(state, event)] }
    case 'reply-settled': {
      const { ending, skip, attempt, text, message, delivers } = event
      const skipped = skip === undefined ? {} : { skip }
      const said = { ending, ...skipped, attempt, text, message, delivers, turn: state.turn }
      return { ...replyCheck, settled: { ...said, delivery: undefined } }
    }
    case 'reply-delivered': {
      const { status, problem } = event
      const delivery = problem === undefined ? { status } : { status, problem }
      return settled === undefined ? replyCheck : { ...replyCheck, settled: { ...settled, delivery } }
    }
    // A judge that could not decide may decide now.
    case 'run-resumed':
      return { ...replyCheck, judged: replyCheck.judged.filter(({ status }) => isDecided(status)) }
    default:
      return replyCheck
  }
}

function isDecided(status: JudgedReply['status']): boolean {
  return status === 'passed' || status === 'failed'
}

function judgedReply(state: RunState, { attempt, verdict }: FactOf<'reply-judged'>): JudgedReply {
  const { status, reason, canRetry, score } = verdict
  const category = categoryOf(verdict)
  return {
    attempt,
    turn: state.turn,
    text: state.replyCheck?.latest?.text ?? '',
    status,
    reason,
    canRetry,
    ...(category === undefined ? {} : { category }),
    ...(score === undefined ? {} : { score }),
  }
}

function categoryOf({ evidence }: Verdict): string | undefined {
  const found = evidence.find((piece) => piece.kind === 'judge' && piece.said === 'not-met')
  return found?.kind === 'judge' ? found.category : undefined
}

/** The tool's name may follow its server's name, and it may do more than send. */
function isSend(state: RunState, { callId, tool }: FactOf<'tool-called'>): boolean {
  const names = state.settings.replyCheck?.messagingTools ?? []
  if (!names.some((name) => tool === name || tool.endsWith(`__${name}`) || tool.endsWith(`.${name}`)))
    return false
  const action = textAt(pendingCallOf(state, callId)?.call.args ?? null, 'action')
  return action === undefined || /send|reply|post|message/i.test(action)
}
