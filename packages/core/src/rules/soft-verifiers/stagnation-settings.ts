import type { StagnationSettings } from '../../events/settings/index.ts'
import type { RuleMode } from '../../base/index.ts'

/** How long a run may go on without being better than it was at its best. */
export interface StagnationOptions {
  /**
   * Verifications in a row that are no better than the best before them. Default 8: after four the drive is told, and it has
   * as many again to take another way. Failures that were never seen before double it.
   */
  readonly patienceVerifications?: number
  /**
   * Verifications of work in hand, which the drive has not called done, that count as one. Default 5: with checks after every
   * change, a hard task stays red for many edits until its last one.
   */
  readonly changesPerClaim?: number
  /**
   * A score must exceed the best by more than this to be better, 0 to 1. Default 0.000001: one test more out of many thousand
   * is progress, and rounding is not. Make it larger where a score is noisy, such as a judge's.
   */
  readonly epsilonScore?: number
  /** `shadow` records what would be done, `off` looks at nothing. Default `on`. */
  readonly mode?: RuleMode
}

export type StagnationChoice =
  | { readonly kind: 'settings'; readonly settings: StagnationSettings }
  /** The problem names the option, its value and the way out. */
  | { readonly kind: 'refused'; readonly problem: string }

export const standardStagnation: StagnationSettings = {
  mode: 'on',
  patienceVerifications: 8,
  changesPerClaim: 5,
  epsilonScore: 0.000_001,
}

export function stagnationSettings(options: StagnationOptions = {}): StagnationChoice {
  const settings = {
    mode: options.mode ?? standardStagnation.mode,
    patienceVerifications: options.patienceVerifications ?? standardStagnation.patienceVerifications,
    changesPerClaim: options.changesPerClaim ?? standardStagnation.changesPerClaim,
    epsilonScore: options.epsilonScore ?? standardStagnation.epsilonScore,
  }
  const problem = problemOf(settings)
  return problem === undefined
    ? { kind: 'settings', settings }
    : { kind: 'refused', problem: `stagnation.${problem}` }
}

function problemOf(settings: StagnationSettings): string | undefined {
  const { mode, patienceVerifications, changesPerClaim, epsilonScore } = settings
  if (!Number.isInteger(patienceVerifications) || patienceVerifications < 1)
    return `patienceVerifications must be a positive whole number, not ${patienceVerifications}; mode 'off' switches it off`
  if (!Number.isInteger(changesPerClaim) || changesPerClaim < 1)
    return `changesPerClaim must be a positive whole number, not ${changesPerClaim}; 1 counts every verification`
  if (!(epsilonScore >= 0 && epsilonScore < 1))
    return `epsilonScore must be 0 or more and below 1, not ${epsilonScore}: no score can be better than the best by that much`
  if (!['on', 'shadow', 'off'].includes(mode))
    return `mode must be on, shadow or off, not ${JSON.stringify(mode)}`
  return undefined
}
