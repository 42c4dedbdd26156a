import type { TokenBudgetSettings } from '../../events/settings/index.ts'
import type { Caps } from '../../budgets/index.ts'
import type { RuleMode } from '../../base/index.ts'
import { classicBounds } from './token-budget.ts'

/** A budget of output tokens that a drive is kept going for. Only `budgetTokens` must be said. */
export interface TokenBudgetOptions {
  /**
   * Output tokens of the whole task, sub-runs included. There is no default: how much work a task is worth is not known to
   * anybody but its user, and a budget that nobody asked for makes a short task long.
   */
  readonly budgetTokens: number
  /**
   * Share of the budget from which on the drive may stop by itself. Default 0.9, as the rule is known: whoever is kept going
   * to the last token fills the rest with words.
   */
  readonly completionShareOfBudget?: number
  /** A round with fewer output tokens brings little. Default 500, as the rule is known: about a page of text or code. */
  readonly diminishingTokens?: number
  /**
   * So often the drive must have been sent on before its rounds can be called diminishing. Default 3, as the rule is known:
   * a short answer or two is how a model ends a step.
   */
  readonly minContinuations?: number
  /**
   * `three-rounds` looks at three real rounds, each below the bound; `classic` looks at two, as the copies of the rule do,
   * though they speak of three. Default `three-rounds`: it ends a run one round later and is never right by accident.
   */
  readonly window?: TokenBudgetSettings['window']
  /** `shadow` records what would be done, `off` looks at nothing. Default `on`. */
  readonly mode?: RuleMode
}

export type TokenBudgetChoice =
  | { readonly kind: 'settings'; readonly settings: TokenBudgetSettings }
  /** The problem names the option, its value and the way out. */
  | { readonly kind: 'refused'; readonly problem: string }

type TokenCap = Pick<Caps, 'maxTokens'>

/** @param caps of the run: a budget that its cap makes unreachable would let no drive ever stop */
export function tokenBudgetSettings(options: TokenBudgetOptions, caps?: TokenCap): TokenBudgetChoice {
  const settings: TokenBudgetSettings = {
    mode: options.mode ?? 'on',
    budgetTokens: options.budgetTokens,
    completionShare: options.completionShareOfBudget ?? classicBounds.completionShare,
    diminishingTokens: options.diminishingTokens ?? classicBounds.diminishingTokens,
    minContinuations: options.minContinuations ?? classicBounds.minContinuations,
    window: options.window ?? 'three-rounds',
  }
  const problem = problemOf(settings) ?? unreachable(settings, caps)
  return problem === undefined
    ? { kind: 'settings', settings }
    : { kind: 'refused', problem: `tokenBudget.${problem}` }
}

function problemOf(settings: TokenBudgetSettings): string | undefined {
  const { budgetTokens, completionShare, diminishingTokens, minContinuations, window, mode } = settings
  if (!Number.isInteger(budgetTokens) || budgetTokens <= 0)
    return `budgetTokens must be a positive whole number of output tokens, not ${budgetTokens}; leave tokenBudget out for none`
  if (!(completionShare > 0 && completionShare <= 1))
    return `completionShareOfBudget must be above 0 and at most 1, not ${completionShare}`
  if (!Number.isFinite(diminishingTokens) || diminishingTokens < 0)
    return `diminishingTokens must be 0 or more, not ${diminishingTokens}; 0 calls no round diminishing`
  if (!Number.isInteger(minContinuations) || minContinuations < 0)
    return `minContinuations must be a whole number, 0 or more, not ${minContinuations}`
  if (!['classic', 'three-rounds'].includes(window))
    return `window must be classic or three-rounds, not ${JSON.stringify(window)}`
  if (!['on', 'shadow', 'off'].includes(mode))
    return `mode must be on, shadow or off, not ${JSON.stringify(mode)}`
  // Whoever was sent on so often with rounds that large is past the share already.
  if (diminishingTokens > budgetTokens)
    return `diminishingTokens is ${diminishingTokens} and the whole budget ${budgetTokens}: every round would be called diminishing; make it smaller`
  return undefined
}

function unreachable(
  { budgetTokens, completionShare }: TokenBudgetSettings,
  caps: TokenCap | undefined,
): string | undefined {
  const neededTokens = budgetTokens * completionShare
  const cap = caps?.maxTokens ?? Infinity
  if (cap >= neededTokens) return undefined
  return `budgetTokens is ${budgetTokens}: the drive could stop from ${neededTokens} output tokens on, and the cap on tokens is ${cap}; make the budget smaller or the cap larger`
}
