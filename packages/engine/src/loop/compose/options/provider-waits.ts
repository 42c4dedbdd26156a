import { usualProviderWaits, type ProviderWaits } from '@donecheck/core/settings'
import { UsageError, assertKnownKeys, optionKeys } from '../../../base/index.ts'

const keys = optionKeys<Partial<ProviderWaits>>()('providerMs limitMs')

/** @throws {UsageError} naming the wait that is not a number of 0 or more */
export function providerWaitsOf(given: Partial<ProviderWaits> = {}): ProviderWaits {
  assertKnownKeys(given, keys, 'providerWaits')
  for (const [name, ms] of Object.entries(given)) {
    if (Number.isFinite(ms) && ms >= 0) continue
    throw new UsageError(`providerWaits.${name} must be milliseconds, 0 or more, not ${ms}`)
  }
  return { ...usualProviderWaits, ...given }
}
