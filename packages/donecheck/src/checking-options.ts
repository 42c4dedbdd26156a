/** How checks are asked: from the options of the loop to the parts of the loop. */
import {
  allRequired,
  defaultFlakeBound,
  deterministicVeto,
  type FlakeBound,
  type Policy,
} from './core/index.ts'
import { UsageError } from './errors.ts'
import type { RememberedVerdicts } from './ports.ts'
import type { Checking, CheckWaiver } from './run/index.ts'

export interface CheckingOptions {
  /** How the verdicts of required verifiers become one. Default `deterministicVeto`. */
  readonly policy?: Policy
  /** Checks at a time. Default 2; 1 asks them one after the other. */
  readonly maxParallelChecks?: number
  /**
   * A check that fails and passes on the same tree: `refuse` (default) never verifies by it, `confirm` believes it after as
   * many passes in a row as `flakeBound` asks for.
   */
  readonly flakyChecks?: Checking['flaky']
  /** Default: a check that fails every second time is believed once in eight. */
  readonly flakeBound?: FlakeBound
  /** Whose verdicts are taken again where nothing has changed that they depend on. Default `run`: this run's own. */
  readonly verdictCache?: Checking['cache']
  /** Checks that are not asked, by whom, until when and why. */
  readonly waive?: readonly CheckWaiver[]
  /** Checks that may be flaky for a while: then they are left out instead of standing in the way. */
  readonly quarantine?: readonly CheckWaiver[]
}

const defaultMaxParallel = 2

const ownPolicies: readonly Policy[] = [deterministicVeto, allRequired]

/** A policy of the user's that throws has decided nothing: the run goes on, and nothing is verified (I6). */
export function policyOf({ policy = deterministicVeto }: CheckingOptions): Policy {
  if (ownPolicies.includes(policy)) return policy
  const cautious: Policy = (ballots) => {
    try {
      return policy(ballots)
    } catch {
      return { status: 'error', because: ballots.map(({ verdict }) => verdict.verifier) }
    }
  }
  return Object.assign(cautious, { shadows: policy.shadows ?? [] })
}

/**
 * @param checks names of the checks that there are
 * @throws {UsageError} for a bound that nothing could keep, and for a waiver that no check could have
 */
export function checkingOf(
  options: CheckingOptions,
  verdicts: RememberedVerdicts | null,
  checks: readonly string[],
): Checking {
  const maxParallel = options.maxParallelChecks ?? defaultMaxParallel
  if (!Number.isInteger(maxParallel) || maxParallel < 1)
    throw new UsageError(`maxParallelChecks is ${maxParallel}; give a whole number of checks, 1 or more`)
  const flakeBound = options.flakeBound ?? defaultFlakeBound
  for (const [name, share] of Object.entries(flakeBound))
    if (!(share > 0 && share < 1))
      throw new UsageError(`flakeBound.${name} is ${share}; give a share between 0 and 1, both left out`)
  return {
    policy: policyOf(options),
    maxParallel,
    flaky: options.flakyChecks ?? 'refuse',
    flakeBound,
    cache: options.verdictCache ?? 'run',
    verdicts,
    waivers: (options.waive ?? []).map((waiver) => checked(waiver, 'waive', checks)),
    quarantine: (options.quarantine ?? []).map((waiver) => checked(waiver, 'quarantine', checks)),
  }
}

function checked(waiver: CheckWaiver, list: string, checks: readonly string[]): CheckWaiver {
  const { check, by, until, reason } = waiver
  for (const [name, value] of Object.entries({ check, by, reason }))
    if (value.trim() === '') throw new UsageError(`${list}: ${name} is empty; say it, for the record`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(Date.parse(until)))
    throw new UsageError(`${list}: until is "${until}"; give the last day as YYYY-MM-DD`)
  if (!checks.includes(check))
    throw new UsageError(
      `${list}: there is no check "${check}"; the checks are ${checks.join(', ') || 'none'}`,
    )
  return waiver
}
