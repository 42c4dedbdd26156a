/** The end of a turn that does not end the run: its label and the feedback to the agent. */
import type { BudgetLeft, Prompts } from '../prompts/index.ts'
import { budgetLeft, goalView } from '../goal.ts'
import type { ContinueReason } from '../../events/transitions/index.ts'
import type { RunState } from '../../state/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import { currentVerdict, hasNews, hasTurnedGreen, isOpen, type AggregateVerdict } from '../aggregate/index.ts'
import type { Decision, Judgement } from '../decision.ts'
import { nudgeDue } from '../../rules/soft-verifiers/index.ts'
import { lazyEnd } from './stop-candidates.ts'
import { continueTransition } from '../stops/index.ts'

export function goOn(state: RunState, prompts: Prompts, verdict: AggregateVerdict | undefined): Decision {
  const { reason, feedback: words } = label(state, prompts, verdict)
  const feedback = withAdvice(words, state)
  const transition = continueTransition(state, reason, [])
  return feedback === undefined
    ? { kind: 'continue', transition }
    : { kind: 'continue', transition, feedback }
}

/** Feedback on the last turn for a later resume, without the remaining budget, which is not known yet. */
export function feedbackAtStop(
  state: RunState,
  { aggregate, prompts }: Pick<Judgement, 'aggregate' | 'prompts'>,
): string | undefined {
  if (!isFresh(state) && !state.tally.claimed) return withAdvice(undefined, state)
  const verdict = state.phase.kind === 'judging' ? currentVerdict(state, aggregate) : undefined
  return withAdvice(openChecks(state, prompts, verdict, { turns: null, tokens: null }), state)
}

function withAdvice(words: string | undefined, state: RunState): string | undefined {
  const reported = [...(words === undefined ? [] : [words]), ...new Set(state.advice)]
  return reported.length === 0 ? undefined : reported.join('\n\n')
}

function isFresh({ phase }: RunState): boolean {
  return phase.kind === 'judging' && phase.verifiedBy !== undefined
}

function label(
  state: RunState,
  prompts: Prompts,
  verdict: AggregateVerdict | undefined,
): { readonly reason: ContinueReason; readonly feedback?: string } {
  if (hasNews(state)) {
    const open = openChecks(state, prompts, verdict, budgetLeft(state))
    // A user message is sent as it is before the next reply.
    if (state.goal.news === 'message')
      return { reason: 'steering', ...(open === undefined ? {} : { feedback: open }) }
    const words = [prompts.goalChanged(goalView(state)), ...(open === undefined ? [] : [open])]
    return { reason: 'goal_changed', feedback: words.join('\n\n') }
  }
  // Calls refused by a rule or the schema count too. Runs from before the soft tier keep their labels.
  const wasProposed = state.settings.soft !== null && (state.activity.replies.at(-1)?.calls ?? 0) > 0
  const asked = wasProposed || state.tally.called + state.tally.refused > 0
  if (
    state.lastReplyFinish === 'length' &&
    !state.tally.claimed &&
    state.tally.called + state.tally.refused === 0
  )
    return { reason: 'max_output_recovery', feedback: prompts.replyCutOff() }
  if (!isFresh(state) && !state.tally.claimed && asked) return { reason: 'tool_calls' }
  const nudge = lazyEnd(state, verdict) === undefined ? undefined : nudgeDue(state)
  if (nudge !== undefined) return { reason: 'nudge_budget_left', feedback: prompts.budgetLeft(nudge) }
  const open = openChecks(state, prompts, verdict, budgetLeft(state))
  if (open !== undefined) return { reason: 'verifier_feedback', feedback: withAudit(open, state, prompts) }
  if (state.tally.claimed)
    return {
      reason: 'verifier_feedback',
      feedback: verdict?.status === 'passed' ? prompts.nothingProven() : prompts.notDone(),
    }
  const isGreen = verdict?.status === 'passed' && hasTurnedGreen(state)
  return isGreen ? { reason: 'tool_calls', feedback: prompts.checksPass() } : { reason: 'tool_calls' }
}

/** Asks an agent that claims done with open parts to review them. */
function withAudit(feedback: string, state: RunState, prompts: Prompts): string {
  if (!state.tally.claimed || state.goal.subGoals.length === 0) return feedback
  return `${feedback}\n\n${prompts.goalAudit(goalView(state))}`
}

/** Undefined if no check blocks. */
function openChecks(
  state: RunState,
  prompts: Prompts,
  verdict: AggregateVerdict | undefined,
  left: BudgetLeft,
): string | undefined {
  const heldOut = heldOutCount(state)
  if (heldOut !== undefined) return prompts.heldOutFailed(heldOut)
  const open = openVerdicts(state)
  return verdict?.status !== 'passed' && open.length > 0 ? prompts.checksFailed(open, left) : undefined
}

/** The only facts about hidden checks that the agent may see; undefined if they did not run or passed. */
function heldOutCount(state: RunState): { readonly open: number; readonly total: number } | undefined {
  if (!state.lastChecksAsked) return undefined
  const heldOut = state.settings.verifiers.filter(({ role, required }) => role === 'held-out' && required)
  const open = heldOut.filter(({ name }) => {
    const status = state.checks[name]?.latest?.status
    return status !== 'passed' && status !== 'skipped'
  })
  return open.length === 0 ? undefined : { open: open.length, total: heldOut.length }
}

/** Failed checks first, then those that did not run or were skipped without a waiver. */
function openVerdicts(state: RunState): readonly { readonly verdict: Verdict; readonly times: number }[] {
  const open = state.settings.verifiers.flatMap(({ name, required, role }) => {
    const check = state.checks[name]
    if (!required || role === 'held-out' || check?.latest === undefined) return []
    const { latest, failureStreak } = check
    return isOpen(latest) ? [{ verdict: latest, times: failureStreak }] : []
  })
  const skipped = open.filter(({ verdict }) => verdict.status === 'skipped')
  return skipped.length === open.length ? [] : [...open.filter((one) => !skipped.includes(one)), ...skipped]
}
