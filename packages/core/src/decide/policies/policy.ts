/** Policies combine verdicts into one. Truth tables over the five statuses are in `policy.test.ts`. */
import type { RunState } from '../../state/index.ts'
import type { Verdict, VerdictStatus } from '../../events/verdicts/index.ts'
import type { VerifierRole } from '../../events/settings/index.ts'
import { nearest } from '../../base/index.ts'

/** A verdict with what the run says about its verifier. */
export interface Ballot {
  readonly verdict: Verdict
  readonly required: boolean
  readonly weight: number
  readonly deterministic: boolean
}

/** What a policy makes of the ballots. `skipped`: nothing was there that could decide. */
export interface PolicyVerdict {
  readonly status: VerdictStatus
  /** Names of the verifiers that made it so. */
  readonly because: readonly string[]
}

export interface Policy {
  (ballots: readonly Ballot[]): PolicyVerdict
  /** Why it can never decide over these required checks; undefined if it can. */
  readonly problem?: (checks: readonly string[]) => string | undefined
}

/**
 * The default. A required deterministic verdict that is `failed` or `error` blocks, whatever a judge says; then every
 * other required verdict must have passed too. Skipped verdicts are left out; with nothing left the result is `skipped`.
 */
export const deterministicVeto: Policy = (ballots) => {
  const deciding = ballots.filter(counts)
  const veto = worstOf(deciding.filter((ballot) => ballot.deterministic))
  if (veto !== undefined && (veto.status === 'failed' || veto.status === 'error')) return veto
  return worstOf(deciding) ?? nothingDecided
}

/** Every required verdict must have passed. Skipped ones are left out. */
export const allRequired: Policy = (ballots) => worstOf(ballots.filter(counts)) ?? nothingDecided

interface Weighting {
  readonly threshold: number
  readonly weights?: Readonly<Record<string, number>>
}

interface QuorumSize {
  readonly atLeast: number
}

/**
 * Share of the required weight that passed, against a threshold above 0 and up to 1. A score counts as that part of its weight. `error` and
 * `pending` may not be outvoted: they make the result undecided where the threshold is not reached without them.
 */
export function weightedScore(options: Weighting): Policy {
  const policy: Policy = (ballots) => {
    const deciding = ballots.filter(counts)
    const weightOf = (ballot: Ballot) => options.weights?.[ballot.verdict.verifier] ?? ballot.weight
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
  return Object.assign(policy, {
    problem: (checks: readonly string[]) => problemOfWeights(options, checks),
  })
}

/** At least so many required verdicts (one or more) passed; undecided ones are waited for only while they could still make the number. */
export function quorum(options: QuorumSize): Policy {
  const policy: Policy = (ballots) => {
    const deciding = ballots.filter(counts)
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
  return Object.assign(policy, {
    problem: (checks: readonly string[]) => problemOfQuorum(options, checks),
  })
}

/**
 * The latest verdict of every verifier that has one. A guard has no ballot; what runs at the end
 * only has one for the work that it has looked at.
 */
export function ballotsOf(state: RunState): readonly Ballot[] {
  return state.settings.verifiers.flatMap(({ name, required, weight, deterministic, role }) => {
    if (role === 'guard' || (runsLast(role) && !state.lastChecksAsked)) return []
    const verdict = state.checks[name]?.latest
    return verdict === undefined ? [] : [{ verdict, required, weight, deterministic }]
  })
}

/**
 * A guard has no vote that could be outvoted: unless it has passed, nothing is verified. Undefined: there is none, or it
 * has passed.
 */
export function guardVeto(state: RunState): PolicyVerdict | undefined {
  for (const { name, role } of state.settings.verifiers) {
    if (role !== 'guard') continue
    const status = state.checks[name]?.latest?.status ?? 'error'
    // A guard that was left out has not looked.
    if (status !== 'passed') return { status: status === 'skipped' ? 'error' : status, because: [name] }
  }
  return undefined
}

/** Only work that all other checks call done is looked at by these. */
export function runsLast(role: VerifierRole): boolean {
  return role === 'held-out' || role === 'probe'
}

const nothingDecided: PolicyVerdict = { status: 'skipped', because: [] }

/** From what blocks most to what blocks least. */
const severity: readonly VerdictStatus[] = ['failed', 'error', 'pending', 'passed', 'skipped']

function counts(ballot: Ballot): boolean {
  return ballot.required && ballot.verdict.status !== 'skipped'
}

function isUndecided({ verdict }: Ballot): boolean {
  return verdict.status === 'error' || verdict.status === 'pending'
}

function worst(results: readonly PolicyVerdict[]): PolicyVerdict | undefined {
  return results.toSorted((one, other) => severity.indexOf(one.status) - severity.indexOf(other.status))[0]
}

function worstOf(ballots: readonly Ballot[]): PolicyVerdict | undefined {
  const found = worst(ballots.map((ballot) => result(ballot.verdict.status, [ballot])))
  if (found === undefined) return undefined
  return result(
    found.status,
    ballots.filter((ballot) => ballot.verdict.status === found.status),
  )
}

function result(status: VerdictStatus, ballots: readonly Ballot[]): PolicyVerdict {
  return { status, because: ballots.map((ballot) => ballot.verdict.verifier) }
}

function scoreOf(verdict: Verdict): number {
  return verdict.status === 'passed' ? (verdict.score ?? 1) : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** @param checks names of the required checks */
function problemOfQuorum({ atLeast }: QuorumSize, checks: readonly string[]): string | undefined {
  if (!Number.isInteger(atLeast) || atLeast < 1)
    return `quorum: atLeast is ${atLeast}; give a whole number of checks, 1 or more`
  if (atLeast <= checks.length) return undefined
  return `quorum: atLeast is ${atLeast}, and there are ${checks.length} required checks; give ${checks.length} or less, or add checks`
}

/** @param checks names of the required checks */
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

/**
 * Whether the policy says `failed` or `error` whatever the verdicts that are still out will be: then nothing more need be asked.
 * Only where one veto is enough; under others nothing is cut short.
 */
export function isDecided(policy: Policy, known: readonly Ballot[]): boolean {
  if (policy !== deterministicVeto && policy !== allRequired) return false
  const { status } = policy(known)
  return status === 'failed' || status === 'error'
}
