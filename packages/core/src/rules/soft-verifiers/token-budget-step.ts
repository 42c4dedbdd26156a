/** The widely copied rule that keeps a model going while a budget of tokens is left: 0.9 of it, 500 tokens, 3 continuations. */
import { countNudge, type TokenBudgetTracker } from '../../state/index.ts'
import type { EpochMs } from '../../events/index.ts'
import type { TokenBudgetSettings } from '../../events/settings/index.ts'

export interface TokenBudgetInput {
  /** Set for a sub-agent: the rule is for the main agent only. */
  readonly agentId?: string
  /** Null: there is no budget. */
  readonly budgetTokens: number | null
  /** Output tokens of the task so far, all its rounds together. */
  readonly turnTokens: number
  readonly nowMs: EpochMs
}

export type TokenBudgetDecision =
  /** It may not stop yet. */
  | {
      readonly kind: 'continue'
      /** This one included. */
      readonly continuations: number
      readonly percent: number
      readonly turnTokens: number
      readonly budgetTokens: number
    }
  /** Null: it was never sent on, so there is nothing to report. */
  | { readonly kind: 'stop'; readonly completion: TokenBudgetCompletion | null }

export interface TokenBudgetCompletion {
  readonly continuations: number
  readonly percent: number
  readonly turnTokens: number
  readonly budgetTokens: number
  /** The latest rounds brought little. */
  readonly isDiminishing: boolean
  readonly durationMs: number
}

export type TokenBudgetBounds = Pick<
  TokenBudgetSettings,
  'completionShare' | 'diminishingTokens' | 'minContinuations' | 'window'
>

/** The constants as they are known. */
export const classicBounds: TokenBudgetBounds = {
  completionShare: 0.9,
  diminishingTokens: 500,
  minContinuations: 3,
  window: 'classic',
}

/** Asked when a model stops by itself. Pure: the tracker that comes out is the one for the next time. */
export function tokenBudgetStep(
  tracker: TokenBudgetTracker,
  input: TokenBudgetInput,
  bounds: TokenBudgetBounds = classicBounds,
): { readonly tracker: TokenBudgetTracker; readonly decision: TokenBudgetDecision } {
  const { agentId, budgetTokens, turnTokens, nowMs } = input
  if (agentId !== undefined || budgetTokens === null || budgetTokens <= 0)
    return { tracker, decision: { kind: 'stop', completion: null } }
  const percent = Math.round((turnTokens / budgetTokens) * 100)
  const isDiminishing = hasDiminished(tracker, turnTokens, bounds)
  const reported = { percent, turnTokens, budgetTokens }
  if (!isDiminishing && turnTokens < budgetTokens * bounds.completionShare) {
    const next = countNudge(tracker, turnTokens)
    return { tracker: next, decision: { kind: 'continue', continuations: next.continuations, ...reported } }
  }
  const { continuations, startedMs } = tracker
  if (!isDiminishing && continuations === 0) return { tracker, decision: { kind: 'stop', completion: null } }
  const completion = { continuations, ...reported, isDiminishing, durationMs: nowMs - startedMs }
  return { tracker, decision: { kind: 'stop', completion } }
}

/**
 * `classic` looks at the last two rounds, of which the one before the first continuation counts as empty. `three-rounds` asks
 * for three rounds that there really were.
 */
function hasDiminished(tracker: TokenBudgetTracker, turnTokens: number, bounds: TokenBudgetBounds): boolean {
  const { continuations, lastTurnTokens, lastDeltaTokens, deltaBeforeTokens } = tracker
  const { minContinuations, diminishingTokens, window } = bounds
  const latest = [turnTokens - lastTurnTokens, lastDeltaTokens]
  const rounds = window === 'classic' ? latest : [...latest, deltaBeforeTokens]
  return (
    continuations >= minContinuations &&
    rounds.every((tokens) => tokens !== null && tokens < diminishingTokens)
  )
}
