/** What is kept of a complete verification: how good it was, and what was open. */

export interface VerificationRecord {
  readonly sequence: number
  readonly turn: number
  /** Share of the required checks that passed, weighted; where tests were counted, their share stands for the check. 0 to 1. */
  readonly score: number
  /** Best score so far: one that exceeded the best before it by more than the epsilon of the run. */
  readonly best: number
  /** The turn of it, or of the latest verification at which nothing was open. */
  readonly bestTurn: number
  /** It is better than all before it, by more than the epsilon of the run. */
  readonly isBest: boolean
  /** Verifications in a row, up to this one, that were no better than the best before them; several of one tree are one. */
  readonly sinceBest: number
  /** Those of them at which the drive had said that it was done, or that followed on work at no part of the goal. */
  readonly claimsSinceBest: number
  /** Equal for equal sets of failing checks and tests; empty: nothing failed. */
  readonly failing: string
  /** Names of failing checks. */
  readonly checks: readonly string[]
  /** Verifications in a row, up to this one, with these very failures; several of one tree are one. */
  readonly repeats: number
  /** Those of them at which the drive had said that it was done. */
  readonly claims: number
  /** The drive has said that it was done with this tree, at this verification or just before. */
  readonly claimed: boolean
  /** Claims to be done with this tree and these failures: all but the first came without any work. */
  readonly idleClaims: number
  readonly tree: string | undefined
}
