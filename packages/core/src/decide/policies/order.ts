/** In which order checks are asked, and when no further one need be asked. */
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import { allRequired, deterministicVeto, type Ballot, type Policy } from './policy.ts'

export interface CheckHistory {
  readonly runs: number
  readonly failures: number
  readonly totalMs: number
}

/** Time that a check is taken to need before anything is known of it. */
const unknownMs = 5_000

/** Failures found per second, with one failure and one pass assumed beforehand (Laplace's rule of succession). */
export function yieldPerSecond({ runs, failures, totalMs }: CheckHistory): number {
  const rate = (failures + 1) / (runs + 2)
  const meanMs = (totalMs + unknownMs) / (runs + 1)
  return (rate * 1000) / Math.max(1, meanMs)
}

/** Deterministic checks before judges; within each the highest yield first, and equals as they were given. */
export function inOrderOfYield<Check extends { readonly name: string; readonly deterministic: boolean }>(
  checks: readonly Check[],
  history: ReadonlyMap<string, CheckHistory>,
): readonly Check[] {
  const yieldOf = ({ name }: Check) =>
    yieldPerSecond(history.get(name) ?? { runs: 0, failures: 0, totalMs: 0 })
  return checks.toSorted(
    (one, other) => Number(other.deterministic) - Number(one.deterministic) || yieldOf(other) - yieldOf(one),
  )
}

const statuses: readonly VerdictStatus[] = ['passed', 'failed', 'error', 'pending', 'skipped']
/** 5 to the power of 4 outcomes are tried. */
const maxOut = 4

/**
 * Whether the policy says `failed` or `error` whatever the verdicts that are still out will be: then nothing more need be
 * asked. For the two policies in which one veto is enough that is plain; for others every outcome is tried where few
 * verdicts are out, and otherwise nothing is cut short.
 */
export function isDecided(policy: Policy, known: readonly Ballot[], out: readonly Ballot[]): boolean {
  if (out.length === 0) return false
  if (policy === deterministicVeto || policy === allRequired) return isLost(policy, known)
  return out.length <= maxOut && outcomesOf(out).every((imagined) => isLost(policy, [...known, ...imagined]))
}

function isLost(policy: Policy, ballots: readonly Ballot[]): boolean {
  const { status } = policy(ballots)
  return status === 'failed' || status === 'error'
}

function outcomesOf(out: readonly Ballot[]): readonly (readonly Ballot[])[] {
  return out.reduce<readonly (readonly Ballot[])[]>(
    (outcomes, ballot) =>
      outcomes.flatMap((outcome) =>
        statuses.map((status) => [...outcome, { ...ballot, verdict: { ...ballot.verdict, status } }]),
      ),
    [[]],
  )
}
