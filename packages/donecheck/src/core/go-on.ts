/** The end of a turn that ends nothing: which label it gets, and what the drive is told. */
import type { ContinueReason, RunState, Verdict } from '../events/index.ts'
import type { Decision } from './decision.ts'
import type { PolicyVerdict } from './policy.ts'
import { turnedGreen } from './completion.ts'
import type { Prompts } from './prompts/index.ts'
import { continueTransition } from './transition.ts'

export function goOn(state: RunState, prompts: Prompts, verdict: PolicyVerdict | undefined): Decision {
  const { reason, feedback } = label(state, prompts, verdict)
  const transition = continueTransition(state, reason, [])
  return feedback === undefined
    ? { kind: 'continue', transition }
    : { kind: 'continue', transition, feedback }
}

function label(
  state: RunState,
  prompts: Prompts,
  verdict: PolicyVerdict | undefined,
): { readonly reason: ContinueReason; readonly feedback?: string } {
  const asked = state.tally.called + state.tally.refused > 0
  const isFresh = state.phase.kind === 'judging' && state.phase.verifiedBy !== undefined
  if (
    state.lastReplyFinish === 'length' &&
    !state.tally.claimed &&
    state.tally.called + state.tally.refused === 0
  )
    return { reason: 'max_output_recovery', feedback: prompts.replyCutOff() }
  if (!isFresh && !state.tally.claimed && asked) return { reason: 'tool_calls' }
  const open = openVerdicts(state)
  const heldOut = heldOutCount(state)
  if (heldOut !== undefined) return { reason: 'verifier_feedback', feedback: prompts.heldOutFailed(heldOut) }
  if (verdict?.status !== 'passed' && open.length > 0)
    return { reason: 'verifier_feedback', feedback: prompts.checksFailed(open, budgetLeft(state)) }
  if (state.tally.claimed)
    return {
      reason: 'verifier_feedback',
      feedback: verdict?.status === 'passed' ? prompts.nothingProven() : prompts.notDone(),
    }
  const isGreen = verdict?.status === 'passed' && turnedGreen(state)
  return isGreen ? { reason: 'tool_calls', feedback: prompts.checksPass() } : { reason: 'tool_calls' }
}

/** All that a drive may know of checks that it must not see. Undefined: they have not spoken, or are content. */
function heldOutCount(state: RunState): { readonly open: number; readonly total: number } | undefined {
  if (!state.lastChecksAsked) return undefined
  const heldOut = state.settings.verifiers.filter(({ role, required }) => role === 'held-out' && required)
  const open = heldOut.filter(({ name }) => {
    const status = state.checks[name]?.latest?.status
    return status !== 'passed' && status !== 'skipped'
  })
  return open.length === 0 ? undefined : { open: open.length, total: heldOut.length }
}

function openVerdicts(state: RunState): readonly { readonly verdict: Verdict; readonly times: number }[] {
  return state.settings.verifiers.flatMap(({ name, required, role }) => {
    const check = state.checks[name]
    if (!required || role === 'held-out' || check?.latest === undefined) return []
    const { latest, failureStreak } = check
    return latest.status === 'passed' || latest.status === 'skipped'
      ? []
      : [{ verdict: latest, times: failureStreak }]
  })
}

function budgetLeft(state: RunState): { readonly turns: number | null; readonly tokens: number | null } {
  const { caps } = state.settings
  const { iterations, inputTokens, outputTokens } = state.consumption
  return {
    turns: caps.maxIterations === null ? null : Math.max(0, caps.maxIterations - iterations),
    tokens:
      caps.maxTokens === null || !state.drive.reportsUsage
        ? null
        : Math.max(0, caps.maxTokens - inputTokens - outputTokens),
  }
}
