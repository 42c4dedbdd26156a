/** The drive is told once, and may fix the source. Only then somebody is asked for authority. */
import type { GuardRequest } from '../../../ports/checks.ts'

/**
 * Nobody can be told any more: there is no drive, or it was told and claims again, or a cap ends it.
 * @param wasTold the drive has heard of it before
 */
export function isFinal({ trigger, canRetry }: GuardRequest, wasTold: boolean): boolean {
  if (!canRetry || trigger === 'cap') return true
  return wasTold && (trigger === 'claim' || trigger === 'held-out')
}

/** How somebody allows what is open. */
export function wayToAllow({ runId, canRetry }: GuardRequest): string {
  return canRetry
    ? `whoever may decide accepts it with: donecheck approve ${runId}`
    : 'whoever may decide allows it by name: --may-change PATH, or a waiver in the configuration'
}
