/** In which order checks are asked, and when no further one need be asked. */
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

/**
 * Deterministic checks come before judges; within each group, what fails most for its time goes first, so that a veto comes early.
 * Equals keep the order in which they were given.
 */
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

/**
 * Whether the policy says `failed` or `error` whatever the verdicts that are still out will be: then nothing more need be asked.
 * Only where one veto is enough; under others nothing is cut short.
 */
export function isDecided(policy: Policy, known: readonly Ballot[]): boolean {
  if (policy !== deterministicVeto && policy !== allRequired) return false
  const { status } = policy(known)
  return status === 'failed' || status === 'error'
}
