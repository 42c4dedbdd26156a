import { latestVerdicts, turnTokensOf, countNudge } from '../../state/index.ts'
import type { Rule, RunState, TokenBudgetTracker } from '../../state/index.ts'
import type { Finding, EpochMs } from '../../events/index.ts'
import { inShadow } from './stagnation.ts'
import type { Caps } from '../../budgets/index.ts'
import { standardTokenBudget, type TokenBudgetSettings } from '../../events/settings/index.ts'

type Nudge = Extract<TokenBudgetDecision, { kind: 'continue' }>

/** Undefined if the agent may stop. Asked only if its claim would end the run. */
export function nudgeDue(state: RunState): Nudge | undefined {
  if (state.settings.soft?.tokenBudget?.mode !== 'on') return undefined
  const decision = decisionOf(state)
  return decision?.kind === 'continue' ? decision : undefined
}

/** Ends the run if checks are open and rounds bring little. With nothing open the agent may stop. */
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
    basedOn: [state.sequence],
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
    message: `the agent may stop by itself: ${why}, ${spent} after ${reported.continuations} continuations`,
  }
}

/** Undefined if the agent has not stopped by itself, or there is no budget. */
function decisionOf(state: RunState): TokenBudgetDecision | undefined {
  const settings = state.settings.soft?.tokenBudget
  const isJudged = state.phase.kind === 'judging' && state.turnOpen
  if (
    settings == null ||
    settings.mode === 'off' ||
    !isJudged ||
    !state.tally.claimed ||
    !state.agent.reportsUsage
  )
    return undefined
  const { tracker } = state.tokenBudget
  const { budgetTokens } = settings
  const input = { budgetTokens, turnTokens: turnTokensOf(state), nowMs: state.nowMs }
  return tokenBudgetStep(tracker, input, settings).decision
}

function hasOpenChecks(state: RunState): boolean {
  if (state.unverifiedWork) return false
  return latestVerdicts(state).some(
    ({ verifier, verdict: { status } }) => verifier.required && (status === 'failed' || status === 'error'),
  )
}

interface TokenBudgetInput {
  readonly budgetTokens: number
  readonly turnTokens: number
  readonly nowMs: EpochMs
}

type TokenBudgetDecision =
  | {
      readonly kind: 'continue'
      readonly continuations: number
      readonly percent: number
      readonly turnTokens: number
      readonly budgetTokens: number
    }
  | { readonly kind: 'stop'; readonly completion: TokenBudgetCompletion | null }

interface TokenBudgetCompletion {
  readonly continuations: number
  readonly percent: number
  readonly turnTokens: number
  readonly budgetTokens: number
  readonly isDiminishing: boolean
  readonly durationMs: number
}

type TokenBudgetBounds = Pick<
  TokenBudgetSettings,
  'completionShareOfBudget' | 'diminishingTokens' | 'minContinuations'
>

/** The common rule (ratio 0.9, 500 tokens, 3 continuations). Pure: returns the tracker for the next call. */
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

/** The last two rounds brought little; the round before the first continuation counts as empty, as usual. */
function hasDiminished(tracker: TokenBudgetTracker, turnTokens: number, bounds: TokenBudgetBounds): boolean {
  const { continuations, lastTurnTokens, lastDeltaTokens } = tracker
  const { minContinuations, diminishingTokens } = bounds
  const isLittle = Math.max(turnTokens - lastTurnTokens, lastDeltaTokens) < diminishingTokens
  return continuations >= minContinuations && isLittle
}

/** Returns why these settings can never work, or undefined. @param caps of the run */
export function problemOfTokenBudget(
  { budgetTokens, completionShareOfBudget, diminishingTokens }: TokenBudgetSettings,
  caps: Pick<Caps, 'maxTokens'>,
): string | undefined {
  // Rounds this large exceed the ratio before the minimum number of continuations.
  if (diminishingTokens > budgetTokens)
    return `diminishingTokens is ${diminishingTokens} and the whole budget ${budgetTokens}: every round would be called diminishing; make it smaller`
  const neededTokens = budgetTokens * completionShareOfBudget
  const cap = caps.maxTokens ?? Infinity
  if (cap >= neededTokens) return undefined
  return `budgetTokens is ${budgetTokens}: the agent could stop from ${neededTokens} output tokens on, and the cap on tokens is ${cap}; make the budget smaller or the cap larger`
}
