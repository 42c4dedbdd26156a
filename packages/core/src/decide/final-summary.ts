/** An early end carries what is done, what is left and how to continue (`StopTransition.summary`). */
import type { EpochMs } from '../events/index.ts'
import { latestVerdicts, type RunState } from '../state/index.ts'
import type { StopReason, StopTransition, SummarySource } from '../events/transitions/index.ts'
import { affordableFinalSummaryTokens, leftUnder } from '../rules/caps/index.ts'
import type { Decision } from './decision.ts'
import type { Prompts } from './prompts/index.ts'
import { amounts, capTable, typedName, type Amount } from '../budgets/index.ts'
import { oneLine, plural } from '../base/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import type { VerifierRole } from '../events/settings/index.ts'
import { hasChangedWorkspace } from './aggregate/index.ts'

const earlyEnds: readonly StopReason[] = ['hard_cap', 'loop_detected', 'stagnated', 'diminishing']
const maxMs = 120_000
/** Below this no reply can be expected. */
const leastMs = 2_000
/** In characters; the full text is in its event. */
const maxSummaryLength = 4000

/**
 * Returns the end with its summary, or the model call to make first. A fresh reply that the checks did not
 * confirm replaces the call. External agents cannot be called without tools, so they are not called.
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

/** Returns the end decided before the summary call was announced; undefined if no call was made. */
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

/** Undefined if the agent has said nothing usable. */
function summaryOf(state: RunState): Summary | undefined {
  const reply = state.finalSummary?.reply
  if (reply !== undefined && reply.problem === undefined)
    return { summary: truncateSummary(reply.text), summaryBy: 'agent' }
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
  const maxOutputTokens = state.agent.sideEffects ? undefined : affordableFinalSummaryTokens(state, notice)
  // The last check has run, so no time is reserved for it.
  const leftMs = Math.min(maxMs, leftUnder(state, 'wallClockMs'))
  return maxOutputTokens === undefined || leftMs < leastMs
    ? undefined
    : { maxOutputTokens, deadlineMs: state.nowMs + leftMs }
}

function noticeOf(state: RunState, prompts: Prompts, { message }: StopTransition): string {
  const open = latestVerdicts(state).filter(
    ({ verifier: { required, role }, verdict: { status } }) =>
      // Held-out checks must stay hidden.
      required && role !== 'held-out' && (status === 'failed' || status === 'error'),
  )
  return prompts.finalSummary({ message, openChecks: open.map(({ verifier }) => verifier.name) })
}

const maxReasonLength = 200
const maxNamed = 5

export function programSummary(state: RunState, end: StopTransition): string {
  return [
    `Done: ${workDone(state)}`,
    `Left: ${workLeft(state)}`,
    `How to go on: ${howToGoOn(state, end)}`,
  ].join('\n')
}

function workDone(state: RunState): string {
  const { iterations, toolCalls } = state.consumption
  const passed = requiredVerdicts(state, ['check', 'probe']).filter(({ status }) => status === 'passed')
  const checks = passed.length === 0 ? 'no required check passes' : `these checks pass: ${namesOf(passed)}`
  const tree = hasChangedWorkspace(state) ? 'the work was changed' : 'the work is as it was'
  return `${checks}; ${tree} in ${plural(iterations, 'turn')} with ${plural(toolCalls, 'tool call')}.`
}

function workLeft(state: RunState): string {
  const open = requiredVerdicts(state, ['check', 'probe', 'guard']).filter(
    ({ status }) => status !== 'passed' && status !== 'skipped',
  )
  if (open.length === 0) return 'nothing that a check knows of; the task itself was not confirmed as done.'
  const reported = open
    .slice(0, maxNamed)
    .map(
      ({ verifier, status, reason }) =>
        `${oneLine(verifier, maxReasonLength)} (${status}: ${oneLine(reason, maxReasonLength)})`,
    )
  const more = open.length - reported.length
  return `${reported.join('; ')}${more > 0 ? `; and ${plural(more, 'check')} more` : ''}.`
}

function namesOf(verdicts: readonly Verdict[]): string {
  const names = verdicts.slice(0, maxNamed).map(({ verifier }) => oneLine(verifier, maxReasonLength))
  const more = verdicts.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function requiredVerdicts(
  state: RunState,
  roles: readonly Exclude<VerifierRole, 'held-out'>[],
): readonly Verdict[] {
  return latestVerdicts(state)
    .filter(({ verifier: { required, role } }) => required && roles.some((one) => one === role))
    .map(({ verdict }) => verdict)
}

/** What the user can type after an early end. */
export function howToGoOn(state: RunState, end: StopTransition): string {
  const topUp = topUpOf(state, end)
  if (topUp === undefined)
    return 'start a new run that says what was tried and what to try instead; the work is as this run left it.'
  if (state.parent !== undefined) return 'give the run that it is a part of more, or let it delegate less.'
  return `donecheck resume ${state.runId} --top-up ${topUp}`
}

/** The top-up that lets a capped run continue, such as `turns=45`; undefined if more would not help. */
export function topUpOf(state: RunState, { reason, cap }: StopTransition): string | undefined {
  const amount = amounts.find((name) => capTable[name].cap === cap)
  const limit = amount === undefined ? null : state.settings.caps[capTable[amount].field]
  if (reason !== 'hard_cap' || amount === undefined || limit === null) return undefined
  return `${typedName(amount)}=${half(amount, limit)}`
}

/** Half of the limit; times in seconds, as typed. */
function half(amount: Amount, limit: number): number {
  if (capTable[amount].kind === 'cost') return Number((limit / 2).toPrecision(2))
  return Math.max(1, Math.ceil(limit / (capTable[amount].kind === 'time' ? 2000 : 2)))
}
