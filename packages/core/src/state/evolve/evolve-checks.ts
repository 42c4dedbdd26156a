/** The part of the fold that is about the tree and what checks say of it. */
import type { FactOf } from '../../events/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import type { CheckState, RunState } from '../state.ts'

export function workspaceObserved(state: RunState, fingerprint: string): RunState {
  const { phase, workspace } = state
  if (phase.kind === 'starting') {
    const looked = { baseline: fingerprint, current: fingerprint, verified: fingerprint, touched: false }
    return { ...state, workspace: looked }
  }
  const isAfterChecks = phase.kind === 'judging' && phase.verifiedBy !== undefined
  if (isAfterChecks)
    return { ...state, workspace: { ...workspace, current: fingerprint, verified: fingerprint } }
  const changed = fingerprint !== workspace.current
  return {
    ...state,
    workspace: { ...workspace, current: fingerprint, touched: workspace.touched || changed },
    unchangedClaims: changed ? 0 : state.unchangedClaims,
    phase: phase.kind === 'judging' ? { ...phase, observed: true } : phase,
  }
}

export function verdictGiven(state: RunState, { verdict }: FactOf<'verdict-given'>): RunState {
  if (state.phase.kind !== 'verifying') return state
  const { trigger } = state.phase
  const awaiting = state.phase.awaiting.filter((name) => name !== verdict.verifier)
  const checks = { ...state.checks, [verdict.verifier]: checkState(state, trigger === 'baseline', verdict) }
  if (awaiting.length > 0) return { ...state, checks, phase: { kind: 'verifying', trigger, awaiting } }
  if (trigger === 'baseline') return { ...state, checks, phase: { kind: 'starting', baselineDone: true } }
  return {
    ...state,
    checks,
    phase: { kind: 'judging', observed: true, verifiedBy: trigger },
    workspace: { ...state.workspace, verified: state.workspace.current },
    unverifiedWork: false,
    lastChecksAsked: trigger === 'held-out',
  }
}

function checkState(state: RunState, isBaseline: boolean, verdict: Verdict): CheckState {
  const before = state.checks[verdict.verifier]
  if (isBaseline) {
    const { status } = verdict
    return { baseline: status, baselineVerdict: verdict, latest: verdict, failureStreak: 0, errorStreak: 0 }
  }
  const isFailure = verdict.status === 'failed' || verdict.status === 'error'
  return {
    baseline: before?.baseline,
    baselineVerdict: before?.baselineVerdict,
    latest: verdict,
    failureStreak: isFailure ? (before?.failureStreak ?? 0) + 1 : 0,
    errorStreak: verdict.status === 'error' ? (before?.errorStreak ?? 0) + 1 : 0,
  }
}

export function verificationStarted(
  state: RunState,
  { trigger, verifiers }: FactOf<'verification-started'>,
): RunState {
  const checkTime = { ...state.checkTime, currentMs: 0 }
  return { ...state, phase: { kind: 'verifying', trigger, awaiting: verifiers }, checkTime }
}
