import type { FaultTrial } from '../../../ports/checks.ts'
import { allRequired, deterministicVeto, type Aggregator } from '@donecheck/core/internal/decide/aggregate'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import { UsageError } from '../../../base/index.ts'
import type { RememberedVerdicts } from '../../../ports/store.ts'
import type { Checking, CheckWaiver, TrustedCheck } from '../../run/index.ts'

export interface CheckingOptions {
  /** Combines the verdicts of required checks. Default: `deterministicVeto`. */
  readonly aggregate?: Aggregator
  /** Concurrent checks. Default: 2. */
  readonly maxParallelChecks?: number
  /** Aborts other checks at the first deciding failure. Default: false, so that every failure is reported. */
  readonly failFast?: boolean
  /** Checks that do not run, with who decided that, until when and why. */
  readonly waive?: readonly CheckWaiver[]
  /** Flaky checks that do not block for a while. */
  readonly quarantine?: readonly CheckWaiver[]
  /** Whether verdicts of earlier runs in the store count, such as that a check has failed. Default: true. */
  readonly recallVerdicts?: boolean
  /** Checks that count although nothing shows that they can fail, with who decided that. */
  readonly trustChecks?: readonly TrustedCheck[]
}

const defaultMaxParallel = 2

const ownAggregators: readonly Aggregator[] = [deterministicVeto, allRequired]

/** A policy that throws verifies nothing. @throws {UsageError} if it is not an aggregator */
export function toAggregator({ aggregate = deterministicVeto }: CheckingOptions): Aggregator {
  if (ownAggregators.includes(aggregate)) return aggregate
  assertAggregator(aggregate)
  return (ballots) => {
    try {
      return aggregate(ballots)
    } catch {
      return { status: 'error', because: ballots.map(({ verdict }) => verdict.verifier) }
    }
  }
}

/** @throws {UsageError} if the aggregator can never decide, such as a quorum of more checks than exist */
export function assertPolicyDecides(
  { aggregate }: CheckingOptions,
  checks: readonly VerifierDescription[],
): void {
  const required = checks.filter((check) => check.required).map(({ name }) => name)
  const problem = aggregate?.problem?.(required)
  if (problem !== undefined) throw new UsageError(`aggregate: ${problem}`)
}

function assertAggregator(aggregate: Aggregator): void {
  const given: unknown = aggregate
  if (typeof given !== 'function')
    throw new UsageError(`aggregate is ${typeof given}; give a function, such as quorum({ atLeast: 2 })`)
  let answer: unknown
  try {
    answer = aggregate([])
  } catch {
    return
  }
  if (typeof answer === 'object' && answer !== null && 'status' in answer) return
  const name = aggregate.name === '' ? 'aggregate' : aggregate.name
  throw new UsageError(
    `aggregate: ${name} returned ${typeof answer} instead of a verdict; if it creates an aggregator, call it: quorum({ atLeast: 2 })`,
  )
}

/** @param checks existing names @throws {UsageError} for a waiver of an unknown check */
export function checkingOf(
  options: CheckingOptions,
  verdicts: RememberedVerdicts | null,
  checks: readonly string[],
  faults: FaultTrial | null = null,
): Checking {
  return {
    aggregate: toAggregator(options),
    maxParallel: options.maxParallelChecks ?? defaultMaxParallel,
    failFast: options.failFast ?? false,
    verdicts: options.recallVerdicts === false ? null : verdicts,
    waivers: (options.waive ?? []).map((waiver) => checkNamed(waiver, 'waive', checks)),
    quarantine: (options.quarantine ?? []).map((waiver) => checkNamed(waiver, 'quarantine', checks)),
    faults,
    trusted: (options.trustChecks ?? []).map((trust) => checkNamed(trust, 'trustChecks', checks)),
  }
}

function checkNamed<Entry extends TrustedCheck>(
  entry: Entry,
  list: string,
  checks: readonly string[],
): Entry {
  const { check } = entry
  if (!checks.includes(check))
    throw new UsageError(
      `${list}: there is no check "${check}"; the checks are ${checks.join(', ') || 'none'}`,
    )
  return entry
}
