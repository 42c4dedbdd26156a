/** The end that comes early: what is done, what is left and how to go on belong to it (`StopTransition.summary`). */
import type { EpochMs } from '../../events/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'
import type { StopReason, StopTransition, SummarySource } from '../../events/transitions/index.ts'
import { affordableFinalSummaryTokens, leftUnder } from '../../rules/caps/index.ts'
import type { Decision } from '../decision.ts'
import type { Prompts } from '../prompts/index.ts'
import { programSummary } from './program-summary.ts'

/** Ends of runs that were not through with their task. */
const earlyEnds: readonly StopReason[] = ['hard_cap', 'loop_detected', 'stagnated', 'diminishing']
/** A provider that says nothing for so long is not waited for; the end is decided. */
const maxMs = 120_000
/** In less time nobody has answered yet. */
const leastMs = 2_000
/** Characters of a summary; the whole text is in its event. */
const maxSummaryLength = 4000

/**
 * The end with its summary, or the one call that is made for it first. An answer that the drive has just given and the checks
 * did not confirm is taken instead of a call. An external agent brings its own tools and cannot be asked without them: it
 * is not asked.
 */
export function withSummary(state: RunState, prompts: Prompts, end: StopTransition): Decision {
  if (!isWrappedUp(state, end)) return { kind: 'stop', transition: end }
  if (summaryOf(state) === undefined && state.finalSummary === undefined) {
    const notice = noticeOf(state, prompts, end)
    const call = affordableCall(state, notice)
    if (call !== undefined) return { kind: 'final-summary', end, notice, ...call }
  }
  return { kind: 'stop', transition: withFinalSummary(state, end) }
}

/** After the call was announced nothing changes the end any more. Undefined: no call was made. */
export function endDecided(state: RunState): Decision | undefined {
  const { finalSummary } = state
  if (finalSummary?.end === undefined) return undefined
  if (finalSummary.reply === undefined) return { kind: 'wait', on: 'model' }
  return { kind: 'stop', transition: withFinalSummary(state, finalSummary.end) }
}

function isWrappedUp({ settings, replies }: RunState, { reason }: StopTransition): boolean {
  return settings.finalSummary && replies > 0 && earlyEnds.includes(reason)
}

interface Summary {
  readonly summary: string
  readonly summaryBy: SummarySource
}

function withFinalSummary(state: RunState, end: StopTransition): StopTransition {
  const program = (): Summary => ({ summary: programSummary(state, end), summaryBy: 'program' })
  return { ...end, ...(summaryOf(state) ?? program()) }
}

/** What the drive has said. Undefined: nothing that would do. */
function summaryOf(state: RunState): Summary | undefined {
  const reply = state.finalSummary?.reply
  if (reply !== undefined && reply.problem === undefined)
    return { summary: truncateSummary(reply.text), summaryBy: 'drive' }
  const latest = state.activity.replies.at(-1)
  const isWithheld = latest?.turn === state.turn && latest.claimed && state.lastText.trim() !== ''
  // An empty claim leaves the text of an earlier turn as the latest.
  return isWithheld && latest.text !== ''
    ? { summary: truncateSummary(state.lastText), summaryBy: 'withheld-answer' }
    : undefined
}

function truncateSummary(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= maxSummaryLength
    ? trimmed
    : `${trimmed.slice(0, maxSummaryLength - 1)}…`.toWellFormed()
}

function affordableCall(
  state: RunState,
  notice: string,
): { readonly maxOutputTokens: number; readonly deadlineMs: EpochMs } | undefined {
  const maxOutputTokens = state.drive.sideEffects ? undefined : affordableFinalSummaryTokens(state, notice)
  // The last check is over, so nothing is kept for it.
  const leftMs = Math.min(maxMs, leftUnder(state, 'wallClockMs'))
  return maxOutputTokens === undefined || leftMs < leastMs
    ? undefined
    : { maxOutputTokens, deadlineMs: state.nowMs + leftMs }
}

function noticeOf(state: RunState, prompts: Prompts, { message }: StopTransition): string {
  const open = latestVerdicts(state).filter(
    ({ verifier: { required, role }, verdict: { status } }) =>
      // What was held out stays so.
      required && role !== 'held-out' && (status === 'failed' || status === 'error'),
  )
  return prompts.finalSummary({ message, openChecks: open.map(({ verifier }) => verifier.name) })
}
