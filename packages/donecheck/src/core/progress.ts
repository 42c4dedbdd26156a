/** What counts as a step forward (design, section 4.6): of activity alone there can be any amount without one. */
import type { RunState, VerificationRecord } from '../events/index.ts'

export type ProgressSignal =
  /** The work tree is as it was never seen before; an edit that is undone, or that changes nothing, is none. */
  | { readonly kind: 'workspace-changed' }
  /** More of the required checks, or of their tests, pass than ever before. */
  | { readonly kind: 'better-score'; readonly score: number; readonly bestBefore: number }
  /** Something fails that never failed before: the work is at another place. */
  | { readonly kind: 'new-failures'; readonly checks: readonly string[] }
  /** A required check passes that did not. */
  | { readonly kind: 'check-passed'; readonly verifier: string }
  /** A tool gave something that it had not given before, and did not fail. */
  | { readonly kind: 'new-outcome'; readonly tool: string }

/** What has become better from one state of a run to a later one. Empty: nothing that anybody could see. */
export function progressBetween(before: RunState, after: RunState): readonly ProgressSignal[] {
  return [
    ...workspaceSignals(before, after),
    ...verificationSignals(before, after),
    ...passedChecks(before, after),
    ...newOutcomes(before, after),
  ]
}

export interface ProgressScore {
  /** Weighted share of required checks that pass, where tests are counted by their share. 0 to 1. */
  readonly score: number
  readonly best: number
  readonly bestTurn: number
  /** Verifications in a row that were no better than the best before them. */
  readonly sinceBest: number
}

/** Undefined before anything was verified. */
export function progressScore({ activity }: RunState): ProgressScore | undefined {
  const newest = activity.verifications.at(-1)
  if (newest === undefined) return undefined
  const { score, best, bestTurn, sinceBest } = newest
  return { score, best: Math.max(score, best), bestTurn, sinceBest }
}

function workspaceSignals(before: RunState, after: RunState): readonly ProgressSignal[] {
  const { trees } = before.activity
  const isNew = after.activity.trees.some((tree) => !trees.includes(tree))
  // The first look is what everything is compared with.
  return isNew && trees.length > 0 ? [{ kind: 'workspace-changed' }] : []
}

function verificationSignals(before: RunState, after: RunState): readonly ProgressSignal[] {
  const known = before.activity.verifications
  const fresh = after.activity.verifications.filter(({ sequence }) => sequence > before.sequence)
  return fresh.flatMap((record, index) => {
    const earlier = [...known, ...fresh.slice(0, index)]
    const last = earlier.at(-1)
    return last === undefined ? [] : signalsOf(record, last, earlier)
  })
}

function signalsOf(
  record: VerificationRecord,
  last: VerificationRecord,
  earlier: readonly VerificationRecord[],
): readonly ProgressSignal[] {
  if (record.isBest) return [{ kind: 'better-score', score: record.score, bestBefore: last.best }]
  const isNew = record.failing !== '' && !earlier.some(({ failing }) => failing === record.failing)
  return isNew ? [{ kind: 'new-failures', checks: record.checks }] : []
}

function passedChecks(before: RunState, after: RunState): readonly ProgressSignal[] {
  return after.settings.verifiers.flatMap(({ name, required }): readonly ProgressSignal[] => {
    const was = before.checks[name]?.latest?.status
    const is = after.checks[name]?.latest?.status
    const isNews = required && is === 'passed' && was !== 'passed' && was !== undefined
    return isNews ? [{ kind: 'check-passed', verifier: name }] : []
  })
}

function newOutcomes(before: RunState, after: RunState): readonly ProgressSignal[] {
  const { calls } = after.activity
  const tools = calls.flatMap(({ sequence, fate, outcome, failure, tool, call }, index) => {
    const hasSucceeded = fate === 'ran' && outcome !== null && failure === null
    const isKnown = calls.slice(0, index).some((other) => other.call === call && other.outcome === outcome)
    return sequence > before.sequence && hasSucceeded && !isKnown ? [tool] : []
  })
  return [...new Set(tools)].map((tool) => ({ kind: 'new-outcome', tool }))
}
