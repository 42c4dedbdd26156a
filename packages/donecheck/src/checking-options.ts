/** How checks are asked: from the options of the loop to the parts of the loop. */
import { defaultFlakeBound, deterministicVeto, type FlakeBound, type Policy } from './core/index.ts'
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

/** @throws {UsageError} for a bound that nothing could keep, and for a waiver that no check could have */
export function checkingOf(options: CheckingOptions, verdicts: RememberedVerdicts | null): Checking {
  const maxParallel = options.maxParallelChecks ?? defaultMaxParallel
  if (!Number.isInteger(maxParallel) || maxParallel < 1)
    throw new UsageError(`maxParallelChecks is ${maxParallel}; give a whole number of checks, 1 or more`)
  const flakeBound = options.flakeBound ?? defaultFlakeBound
  for (const [name, share] of Object.entries(flakeBound))
    if (!(share > 0 && share < 1))
      throw new UsageError(`flakeBound.${name} is ${share}; give a share between 0 and 1, both left out`)
  return {
    policy: options.policy ?? deterministicVeto,
    maxParallel,
    flaky: options.flakyChecks ?? 'refuse',
    flakeBound,
    cache: options.verdictCache ?? 'run',
    verdicts,
    waivers: (options.waive ?? []).map((waiver) => checked(waiver, 'waive')),
    quarantine: (options.quarantine ?? []).map((waiver) => checked(waiver, 'quarantine')),
  }
}

function checked(waiver: CheckWaiver, list: string): CheckWaiver {
  const { check, by, until, reason } = waiver
  for (const [name, value] of Object.entries({ check, by, reason }))
    if (value.trim() === '') throw new UsageError(`${list}: ${name} is empty; say it, for the record`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(Date.parse(until)))
    throw new UsageError(`${list}: until is "${until}"; give the last day as YYYY-MM-DD`)
  return waiver
}
