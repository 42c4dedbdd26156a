/**
 * How often a check must pass in a row before its pass is believed, after it failed on the same inputs. A run of n passes
 * from a check that fails with probability p or more has at most the probability (1 - p)^n: the sequential test that stops
 * at the first failure (Wald, Sequential Tests of Statistical Hypotheses, 1945, with one-sided bounds).
 */
export interface FlakeBound {
  /** A check that fails at least so often is to be found out. 0 to 1, exclusive. */
  readonly minFailureRate: number
  /** Probability that such a check is believed all the same. 0 to 1, exclusive. */
  readonly maxError: number
}

/** One pass and two confirmations: a check that fails every second time is believed once in eight. */
export const defaultFlakeBound: FlakeBound = { minFailureRate: 0.5, maxError: 0.125 }

export interface Tries {
  readonly passed: number
  readonly failed: number
  /** Passes since the latest failure. */
  readonly passedInARow: number
}

/** `steady`: believed. `flaky`: it passed and then failed again, on the same inputs. */
export type FlakeVerdict = 'again' | 'steady' | 'flaky'

/** Passes in a row that keep the bound; at least 1. */
export function passesNeeded({ minFailureRate, maxError }: FlakeBound): number {
  return Math.max(1, Math.ceil(Math.log(maxError) / Math.log(1 - minFailureRate) - 1e-9))
}

/** @param tries since the disagreement was seen: the failure before it is not among them */
export function judgeTries(tries: Tries, bound: FlakeBound = defaultFlakeBound): FlakeVerdict {
  if (tries.failed > 0) return 'flaky'
  return tries.passedInARow >= passesNeeded(bound) ? 'steady' : 'again'
}
