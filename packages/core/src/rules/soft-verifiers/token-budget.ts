/** The token budget in the loop: whether a drive that stops by itself is sent on, and when that leads nowhere. */
import { latestVerdicts, turnTokensOf, countNudge } from '../../state/index.ts'
import type { Rule, RunState, TokenBudgetTracker } from '../../state/index.ts'
import type { Finding, EpochMs } from '../../events/index.ts'
import { inShadow } from './stagnation.ts'
import type { Caps } from '../../budgets/index.ts'
import { standardTokenBudget, type TokenBudgetSettings } from '../../events/settings/index.ts'

type Nudge = Extract<TokenBudgetDecision, { kind: 'continue' }>

/**
 * The drive has ended its turn by itself with budget left. Undefined: it may stop, as far as the budget is concerned. It is
 * asked only where the run would end with the drive's word: a success is not kept going, and what failed checks say is
 * worth more than a nudge.
 */
export function nudgeDue(state: RunState): Nudge | undefined {
  if (state.settings.soft?.tokenBudget?.mode !== 'on') return undefined
  const decision = decisionOf(state)
  return decision?.kind === 'continue' ? decision : undefined
}

/**
 * While checks are open, rounds that bring little end the run. Where nothing is open the drive may stop, and its claim counts
 * as it does without a budget. What the budget came to is noted.
 */
export const tokenBudget: Rule = (state) => {
  const finding = findingOf(state)
  return state.settings.soft?.tokenBudget?.mode === 'shadow' ? inShadow(finding) : finding
}

function findingOf(state: RunState): Finding | undefined {
  const decision = decisionOf(state)
  if (decision?.kind !== 'stop' || decision.completion === null) return undefined
  const { isDiminishing, ...reported } = decision.completion
  const body = {
    rule: 'token_budget',
    numbers: { ...reported, diminishing: isDiminishing ? 1 : 0 },
    restsOn: [state.sequence],
  }
  const spent = `${reported.turnTokens} of ${reported.budgetTokens} output tokens (${reported.percent} %)`
  if (isDiminishing && hasOpenChecks(state)) {
    const message = `checks are open, and after ${reported.continuations} continuations the rounds bring less and less: ${spent}`
    return { ...body, level: 'stop', message, stop: { reason: 'diminishing' } }
  }
  const why = isDiminishing ? 'its rounds bring less and less' : 'the budget is used'
  return {
    ...body,
    level: 'note',
    key: String(reported.continuations),
    message: `the drive may stop by itself: ${why}, ${spent} after ${reported.continuations} continuations`,
  }
}

/** Undefined: the drive has not ended its turn by itself, or nothing holds it to a budget. */
function decisionOf(state: RunState): TokenBudgetDecision | undefined {
  const settings = state.settings.soft?.tokenBudget
  const isJudged = state.phase.kind === 'judging' && state.turnOpen
  if (
    settings == null ||
    settings.mode === 'off' ||
    !isJudged ||
    !state.tally.claimed ||
    !state.drive.reportsUsage
  )
    return undefined
  const { tracker } = state.tokenBudget
  const { budgetTokens } = settings
  const input = { budgetTokens, turnTokens: turnTokensOf(state), nowMs: state.nowMs }
  return tokenBudgetStep(tracker, input, settings).decision
}

/** A required check has spoken of the work as it is now, and is not content. */
function hasOpenChecks(state: RunState): boolean {
  if (state.unverifiedWork) return false
  return latestVerdicts(state).some(
    ({ verifier, verdict: { status } }) => verifier.required && (status === 'failed' || status === 'error'),
  )
}

interface TokenBudgetInput {
  readonly budgetTokens: number
  /** Output tokens of the task so far, all its rounds together. */
  readonly turnTokens: number
  readonly nowMs: EpochMs
}

type TokenBudgetDecision =
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

interface TokenBudgetCompletion {
  readonly continuations: number
  readonly percent: number
  readonly turnTokens: number
  readonly budgetTokens: number
  /** The latest rounds brought little. */
  readonly isDiminishing: boolean
  readonly durationMs: number
}

type TokenBudgetBounds = Pick<
  TokenBudgetSettings,
  'completionShareOfBudget' | 'diminishingTokens' | 'minContinuations'
>

/**
 * The widely copied rule that keeps a model going while a budget of tokens is left: 0.9 of it, 500 tokens, 3 continuations.
 * Asked when a model stops by itself. Pure: the tracker that comes out is the one for the next time.
 */
export function tokenBudgetStep(
  tracker: TokenBudgetTracker,
  input: TokenBudgetInput,
  bounds: TokenBudgetBounds = standardTokenBudget,
): { readonly tracker: TokenBudgetTracker; readonly decision: TokenBudgetDecision } {
  const { budgetTokens, turnTokens, nowMs } = input
  const percent = Math.round((turnTokens / budgetTokens) * 100)
  const isDiminishing = hasDiminished(tracker, turnTokens, bounds)
  const reported = { percent, turnTokens, budgetTokens }
  if (!isDiminishing && turnTokens < budgetTokens * bounds.completionShareOfBudget) {
    const next = countNudge(tracker, turnTokens)
    return { tracker: next, decision: { kind: 'continue', continuations: next.continuations, ...reported } }
  }
  const { continuations, startedMs } = tracker
  if (!isDiminishing && continuations === 0) return { tracker, decision: { kind: 'stop', completion: null } }
  const completion = { continuations, ...reported, isDiminishing, durationMs: nowMs - startedMs }
  return { tracker, decision: { kind: 'stop', completion } }
}

/** The last two rounds brought little; the one before the first continuation counts as empty, as in the copies of the rule. */
function hasDiminished(tracker: TokenBudgetTracker, turnTokens: number, bounds: TokenBudgetBounds): boolean {
  const { continuations, lastTurnTokens, lastDeltaTokens } = tracker
  const { minContinuations, diminishingTokens } = bounds
  const isLittle = Math.max(turnTokens - lastTurnTokens, lastDeltaTokens) < diminishingTokens
  return continuations >= minContinuations && isLittle
}

/** What keeps these settings from ever having a sense; undefined: nothing. @param caps of the run */
export function problemOfTokenBudget(
  { budgetTokens, completionShareOfBudget, diminishingTokens }: TokenBudgetSettings,
  caps: Pick<Caps, 'maxTokens'>,
): string | undefined {
  // Whoever was sent on so often with rounds that large is past the share already.
  if (diminishingTokens > budgetTokens)
    return `diminishingTokens is ${diminishingTokens} and the whole budget ${budgetTokens}: every round would be called diminishing; make it smaller`
  const neededTokens = budgetTokens * completionShareOfBudget
  const cap = caps.maxTokens ?? Infinity
  if (cap >= neededTokens) return undefined
  return `budgetTokens is ${budgetTokens}: the drive could stop from ${neededTokens} output tokens on, and the cap on tokens is ${cap}; make the budget smaller or the cap larger`
}
