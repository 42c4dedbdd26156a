/** The truth tables over the five statuses are in `aggregate.test.ts`. */
import type { RunState } from '../../state/index.ts'
import type { Verdict, VerdictStatus } from '../../events/verdicts/index.ts'
import type { VerifierRole } from '../../events/settings/index.ts'
import { nearest } from '../../base/index.ts'

/** A verdict with the settings of its verifier. */
export interface Vote {
  readonly verdict: Verdict
  readonly required: boolean
  readonly weight: number
  readonly deterministic: boolean
}

/** The combined verdict. `skipped`: no ballot could decide. */
export interface AggregateVerdict {
  readonly status: VerdictStatus
  readonly because: readonly string[]
}

export interface Aggregator {
  (votes: readonly Vote[]): AggregateVerdict
  /** Returns why the aggregator can never decide over these required checks, or undefined. */
  readonly problem?: (checks: readonly string[]) => string | undefined
}

/**
 * the default aggregator. A required deterministic `failed` or `error` verdict blocks, whatever a judge says; all
 * other required verdicts must pass too. Skipped verdicts are left out; with none left the result is
 * `skipped`.
 */
export const deterministicVeto: Aggregator = (votes) => {
  const deciding = votes.filter(counts)
  const veto = worstOf(deciding.filter((ballot) => ballot.deterministic))
  if (veto !== undefined && (veto.status === 'failed' || veto.status === 'error')) return veto
  return worstOf(deciding) ?? nothingDecided
}

/** Every required verdict must pass. Skipped verdicts are left out. */
export const allRequired: Aggregator = (votes) => worstOf(votes.filter(counts)) ?? nothingDecided

interface Weighting {
  readonly threshold: number
  readonly weights?: Readonly<Record<string, number>>
}

interface QuorumSize {
  readonly atLeast: number
}

/**
 * The passed ratio of the required weight must reach a threshold above 0 and up to 1. A score counts as that
 * part of its weight. `error` and `pending` cannot be outvoted: the result is undecided if the threshold is
 * not reached without them.
 */
export function weightedScore(options: Weighting): Aggregator {
  const aggregate: Aggregator = (votes) => {
    const deciding = votes.filter(counts)
    const weightOf = (ballot: Vote) => options.weights?.[ballot.verdict.verifier] ?? ballot.weight
    const total = sum(deciding.map(weightOf))
    if (total <= 0) return nothingDecided
    const reached = sum(deciding.map((ballot) => weightOf(ballot) * scoreOf(ballot.verdict)))
    if (reached > 0 && reached / total >= options.threshold) return result('passed', deciding)
    const undecided = deciding.filter(isUndecided)
    const reachable = reached + sum(undecided.map(weightOf))
    const open = reachable / total >= options.threshold ? worstOf(undecided) : undefined
    return (
      open ??
      result(
        'failed',
        deciding.filter(({ verdict }) => verdict.status !== 'passed'),
      )
    )
  }
  return Object.assign(aggregate, {
    problem: (checks: readonly string[]) => problemOfWeights(options, checks),
  })
}

/** At least this many required verdicts must pass; undecided ones count while they could still reach it. */
export function quorum(options: QuorumSize): Aggregator {
  const aggregate: Aggregator = (votes) => {
    const deciding = votes.filter(counts)
    if (deciding.length === 0) return nothingDecided
    const atLeast = Math.max(1, options.atLeast)
    const withStatus = (status: VerdictStatus) =>
      deciding.filter((ballot) => ballot.verdict.status === status)
    const passed = withStatus('passed')
    if (passed.length >= atLeast) return result('passed', passed)
    const undecided = deciding.filter(isUndecided)
    if (passed.length + undecided.length < atLeast) return result('failed', withStatus('failed'))
    return worstOf(undecided) ?? result('failed', deciding)
  }
  return Object.assign(aggregate, {
    problem: (checks: readonly string[]) => problemOfQuorum(options, checks),
  })
}

/** The latest verdict of each verifier, guards apart; checks that run last count only for current work. */
export function collectVotes(state: RunState): readonly Vote[] {
  return state.settings.verifiers.flatMap(({ name, required, weight, deterministic, role }) => {
    if (role === 'guard' || (runsLast(role) && !state.lastChecksAsked)) return []
    const verdict = state.checks[name]?.latest
    return verdict === undefined ? [] : [{ verdict, required, weight, deterministic }]
  })
}

/** Nothing is verified unless the guard passed. Undefined if there is no guard or it passed. */
export function guardVeto(state: RunState): AggregateVerdict | undefined {
  for (const { name, role } of state.settings.verifiers) {
    if (role !== 'guard') continue
    const status = state.checks[name]?.latest?.status ?? 'error'
    // A skipped guard has not inspected anything.
    if (status !== 'passed') return { status: status === 'skipped' ? 'error' : status, because: [name] }
  }
  return undefined
}

/** Whether the check runs only after all others have passed. */
export function runsLast(role: VerifierRole): boolean {
  return role === 'held-out' || role === 'probe'
}

const nothingDecided: AggregateVerdict = { status: 'skipped', because: [] }

const severity: readonly VerdictStatus[] = ['failed', 'error', 'pending', 'passed', 'skipped']

function counts(ballot: Vote): boolean {
  return ballot.required && ballot.verdict.status !== 'skipped'
}

function isUndecided({ verdict }: Vote): boolean {
  return verdict.status === 'error' || verdict.status === 'pending'
}

function worst(results: readonly AggregateVerdict[]): AggregateVerdict | undefined {
  return results.toSorted((one, other) => severity.indexOf(one.status) - severity.indexOf(other.status))[0]
}

function worstOf(votes: readonly Vote[]): AggregateVerdict | undefined {
  const found = worst(votes.map((ballot) => result(ballot.verdict.status, [ballot])))
  if (found === undefined) return undefined
  return result(
    found.status,
    votes.filter((ballot) => ballot.verdict.status === found.status),
  )
}

function result(status: VerdictStatus, votes: readonly Vote[]): AggregateVerdict {
  return { status, because: votes.map((ballot) => ballot.verdict.verifier) }
}

function scoreOf(verdict: Verdict): number {
  return verdict.status === 'passed' ? (verdict.score ?? 1) : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function problemOfQuorum({ atLeast }: QuorumSize, checks: readonly string[]): string | undefined {
  if (!Number.isInteger(atLeast) || atLeast < 1)
    return `quorum: atLeast is ${atLeast}; give a whole number of checks, 1 or more`
  if (atLeast <= checks.length) return undefined
  return `quorum: atLeast is ${atLeast}, and there are ${checks.length} required checks; give ${checks.length} or less, or add checks`
}

function problemOfWeights(options: Weighting, checks: readonly string[]): string | undefined {
  const { threshold, weights = {} } = options
  if (!(threshold > 0 && threshold <= 1))
    return `weightedScore: threshold is ${threshold}; give a number above 0, up to 1`
  for (const [check, weight] of Object.entries(weights)) {
    if (!checks.includes(check)) {
      const near = nearest(check, checks)
      const hint =
        near === undefined ? `the checks are ${checks.join(', ') || 'none'}` : `did you mean "${near}"?`
      return `weightedScore: weights names "${check}", which is not a required check; ${hint}`
    }
    if (!(weight >= 0 && Number.isFinite(weight)))
      return `weightedScore: the weight of "${check}" is ${weight}; give 0 or more`
  }
  return undefined
}

/** Whether the pending verdicts can no longer change the result. Only for aggregators with a veto. */
export function isDecided(aggregate: Aggregator, known: readonly Vote[]): boolean {
  if (aggregate !== deterministicVeto && aggregate !== allRequired) return false
  const { status } = aggregate(known)
  return status === 'failed' || status === 'error'
}
