/** The token budget in the loop: whether a drive that stops by itself is sent on, and when that leads nowhere. */
import { latestVerdicts, turnTokensOf, type Rule, type RunState } from '../../state/index.ts'
import type { Finding } from '../../events/index.ts'
import type { TokenBudgetSettings } from '../../events/settings/index.ts'
import { tokenBudgetStep, type TokenBudgetDecision } from './token-budget-step.ts'

type Nudge = Extract<TokenBudgetDecision, { kind: 'continue' }>

/**
 * The drive has ended its turn by itself with budget left. Undefined: it may stop, as far as the budget is concerned. It is
 * asked only where the run would end with the drive's word: a success is not kept going, and what failed checks say is
 * worth more than a nudge.
 */
export function nudgeDue(state: RunState): Nudge | undefined {
  const decision = decisionOf(state, 'on')
  return decision?.kind === 'continue' ? decision : undefined
}

/**
 * While checks are open, rounds that bring little end the run. Where nothing is open the drive may stop, and its claim counts
 * as it does without a budget. What the budget came to is noted.
 */
export const tokenBudget: Rule = (state) => {
  const decision = decisionOf(state, 'on')
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

/** What the budget would do: recorded, and nothing is done about it. */
export const tokenBudgetShadow: Rule = (state) => {
  const decision = decisionOf(state, 'shadow')
  return decision === undefined ? undefined : shadowOf(decision, state)
}

function shadowOf(decision: TokenBudgetDecision, state: RunState): Finding | undefined {
  const reported = decision.kind === 'continue' ? decision : decision.completion
  if (reported === null) return undefined
  const isEnd =
    decision.kind === 'stop' && decision.completion?.isDiminishing === true && hasOpenChecks(state)
  if (decision.kind === 'stop' && !isEnd) return undefined
  const { continuations, percent, turnTokens, budgetTokens } = reported
  const what = isEnd ? 'would end the run as diminishing' : 'would be sent on if it stopped here'
  return {
    rule: 'shadow:token_budget',
    level: 'note',
    key: `${isEnd ? 'end' : 'nudge'}:${continuations}`,
    message: `${what}: ${turnTokens} of ${budgetTokens} output tokens (${percent} %)`,
    numbers: { continuations, percent, turnTokens, budgetTokens },
    restsOn: [state.sequence],
  }
}

/** Undefined: the drive has not ended its turn by itself, or nothing holds it to a budget. */
function decisionOf(state: RunState, mode: TokenBudgetSettings['mode']): TokenBudgetDecision | undefined {
  const settings = state.settings.soft?.tokenBudget
  const isJudged = state.phase.kind === 'judging' && state.turnOpen
  if (settings?.mode !== mode || !isJudged || !state.tally.claimed || !state.drive.reportsUsage)
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
