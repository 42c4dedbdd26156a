import { UsageError, assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { VerifierDescription } from '@donecheck/core/settings'
import type { RetryPolicy, Verifier } from '../../../ports/checks.ts'

export interface VerifierOptions {
  /** Default true: its verdict decides. */
  readonly required?: boolean
  /** Default 1. */
  readonly weight?: number
  /** Milliseconds. Longer than that is no answer: `error`. Default 300 000. */
  readonly timeoutMs?: number
  /** Default: two tries more after trouble that is not the work's, none after a failure. */
  readonly retry?: Partial<RetryPolicy>
  /** Nothing else is checked meanwhile. Default false. */
  readonly exclusive?: boolean
  /** `held-out`: runs at the end only, and the drive is told of it as a number alone. Default `check`. */
  readonly role?: 'check' | 'held-out'
}

export const verifierKeys: OptionKeys<VerifierOptions> = {
  required: true,
  weight: true,
  timeoutMs: true,
  retry: true,
  exclusive: true,
  role: true,
}

const retryKeys: OptionKeys<Partial<RetryPolicy>> = { infrastructure: true, failure: true }

const defaultRetry: RetryPolicy = { infrastructure: 2, failure: 0 }

const defaultTimeoutMs = 300_000

/** @throws {UsageError} for a verifier without a name */
export function describeVerifier(
  name: string,
  options: VerifierOptions & Partial<Pick<VerifierDescription, 'deterministic' | 'reads'>>,
): VerifierDescription {
  const { required = true, weight = 1, deterministic = true, reads = 'workspace', role = 'check' } = options
  if (name.trim() === '') throw new UsageError('a verifier needs a name that is not empty')
  return { name, required, weight, deterministic, reads, role }
}

/** How the loop asks this verifier. @throws {UsageError} for a number of tries that is none */
export function askingOf(options: VerifierOptions): Pick<Verifier, 'retry' | 'exclusive'> {
  assertKnownKeys(options.retry ?? {}, retryKeys, 'retry')
  const retry = { ...defaultRetry, ...options.retry }
  for (const [name, tries] of Object.entries(retry))
    if (!Number.isInteger(tries) || tries < 0)
      throw new UsageError(`retry.${name} is ${tries}; give a whole number of further tries, 0 or more`)
  return { retry, exclusive: options.exclusive ?? false }
}

/** @throws {UsageError} for a bound that no check could keep */
export function timeoutOf({ timeoutMs = defaultTimeoutMs }: VerifierOptions): number {
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs
  throw new UsageError(
    `timeoutMs is ${timeoutMs}; give the milliseconds that the check may take, more than 0`,
  )
}
