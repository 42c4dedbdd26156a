import { UsageError } from '../errors.ts'
import type { VerifierDescription } from '../events/index.ts'

export interface VerifierOptions {
  /** Default true: its verdict decides. */
  readonly required?: boolean
  /** Default 1. */
  readonly weight?: number
  /** Longer than that is no answer: `error`. Default 300 000. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 300_000

/** @throws {UsageError} for a verifier without a name */
export function describeVerifier(
  name: string,
  options: VerifierOptions & Partial<Pick<VerifierDescription, 'deterministic' | 'reads'>>,
): VerifierDescription {
  const { required = true, weight = 1, deterministic = true, reads = 'workspace' } = options
  if (name.trim() === '') throw new UsageError('a verifier needs a name that is not empty')
  return { name, required, weight, deterministic, reads }
}

/** @throws {UsageError} for a bound that no check could keep */
export function timeoutOf({ timeoutMs = defaultTimeoutMs }: VerifierOptions): number {
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs
  throw new UsageError(
    `timeoutMs is ${timeoutMs}; give the milliseconds that the check may take, more than 0`,
  )
}
