import type { FlakeBound, Policy } from '@donecheck/core/policies'
import type { Waiver } from '@donecheck/core/verdicts'
import type { FaultTrial } from '../../../ports/checks.ts'
import type { RememberedVerdicts } from '../../../ports/store.ts'

/** A waiver, or a place in quarantine, of one check. */
export interface CheckWaiver extends Waiver {
  /** Name of the verifier. */
  readonly check: string
}

/** Somebody says by name that a check is able to fail, whatever its line looks like. */
export interface TrustedCheck {
  /** Name of the verifier. */
  readonly check: string
  readonly by: string
}

/** How checks are asked, beside which. */
export interface Checking {
  readonly policy: Policy
  /** Checks at a time; 1: one after the other. */
  readonly maxParallel: number
  /** The first failure that decides breaks the other checks off. False: they run to their end, and all that is red is told. */
  readonly failFast: boolean
  /**
   * What becomes of a check that fails and passes on the same inputs within one verification. `refuse`: `error`.
   * `confirm`: it is believed once it has passed as often in a row as the bound asks.
   */
  readonly flaky: 'refuse' | 'confirm'
  readonly flakeBound: FlakeBound
  /** Null: nothing is remembered and nothing learned. */
  readonly verdicts: RememberedVerdicts | null
  /** Checks that are not asked. */
  readonly waivers: readonly CheckWaiver[]
  /** Checks that may be flaky meanwhile. */
  readonly quarantine: readonly CheckWaiver[]
  readonly trusted: readonly TrustedCheck[]
  /** Null: nothing can be planted, so that a check that is in doubt is refused. */
  readonly faults: FaultTrial | null
}

/** The waiver of this check that holds on the day; one that has expired is none. */
export function waiverOf(
  check: string,
  waivers: readonly CheckWaiver[],
  nowMs: number,
): CheckWaiver | undefined {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return waivers.find((waiver) => waiver.check === check && today <= waiver.until)
}
