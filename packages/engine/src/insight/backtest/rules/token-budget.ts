/** The token budget over recorded steps: rounds that bring less and less end a run while checks are open. */
import type { TokenBudgetSettings } from '@donecheck/core/settings'
import { tokenBudgetStep } from '@donecheck/core/soft-verifiers'
import { newTracker } from '@donecheck/core/state'
import type { ReplyStep } from '../../recordings/index.ts'
import type { Watch } from './watch.ts'

/**
 * Asked where the drive ended a turn by itself and was sent on. Whether it would have been sent on where its run ended, nobody
 * knows. Says nothing from the first turn on whose output tokens are not known.
 */
export function tokenBudgetWatch(settings: TokenBudgetSettings): Watch {
  let tracker = newTracker(0)
  let outputTokens = 0
  let before: ReplyStep | undefined
  return {
    observe(step) {
      if (step.kind !== 'reply') return undefined
      const claim = before?.calls === 0 && Number.isFinite(outputTokens)
      const input = { budgetTokens: settings.budgetTokens, turnTokens: outputTokens, nowMs: 0 }
      const asked = claim ? tokenBudgetStep(tracker, input, settings) : undefined
      tracker = asked?.tracker ?? tracker
      before = step
      outputTokens += step.usage?.outputTokens ?? Number.NaN
      const { decision } = asked ?? {}
      const isEnd = decision?.kind === 'stop' && decision.completion?.isDiminishing === true
      return isEnd && hasOpenChecks(step) ? { level: 'stop', rule: 'token_budget', before: true } : undefined
    },
  }
}

function hasOpenChecks({ checked }: ReplyStep): boolean {
  return checked?.verdicts.some(({ status }) => status === 'failed' || status === 'error') ?? false
}
