import type { VerdictStatus } from '../../../events/verdicts/index.ts'
import { allRequired, deterministicVeto, type Ballot, type Policy } from '../policy.ts'

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
