/** A stop policy: all that may end a run, as its settings have it. */
import { bounds, capTable, type Bound, type Caps } from '@donecheck/core/budgets'
import type { SoftSettings, TokenBudgetSettings } from '@donecheck/core/settings'
import { capWatch, replayedBounds } from '../rules/caps.ts'
import { loopWatch } from '../rules/loops.ts'
import { stagnationWatch } from '../rules/progress.ts'
import type { Alarm, Watch, Watcher } from '../rules/watch.ts'
import { tokenBudgetStep } from '@donecheck/core/soft-verifiers'
import { newTracker } from '@donecheck/core/state'
import type { ReplyStep } from '../../recordings/index.ts'

export interface StopPolicy {
  readonly name: string
  readonly caps: Caps
  readonly soft: SoftSettings
}

/** The gravest alarm of a step; of equally grave ones a cap's, then a detector's, as a run orders its stops. */
export function watcherOf({ name, caps, soft }: StopPolicy): Watcher {
  const { loopDetection, stagnation, tokenBudget } = soft
  return {
    name,
    begin: () =>
      allOf([
        capWatch(caps),
        ...(loopDetection.mode === 'on' || Object.values(loopDetection.detectors).includes('on')
          ? [loopWatch(loopDetection)]
          : []),
        ...(stagnation.mode === 'on' ? [stagnationWatch(stagnation)] : []),
        ...(tokenBudget?.mode === 'on' ? [tokenBudgetWatch(tokenBudget)] : []),
      ]),
  }
}

const gravity: Readonly<Record<Alarm['level'], number>> = { warn: 1, refuse: 2, stop: 3 }

function allOf(watches: readonly Watch[]): Watch {
  return {
    observe(step) {
      let gravest: Alarm | undefined
      for (const watch of watches) {
        const alarm = watch.observe(step)
        if (alarm !== undefined && (gravest === undefined || gravity[alarm.level] > gravity[gravest.level]))
          gravest = alarm
      }
      return gravest
    },
  }
}

/** Caps of the policy that no recording can be held to. */
export function ignoredBounds({ caps }: StopPolicy): readonly Bound[] {
  return bounds.filter((bound) => !replayedBounds.includes(bound) && caps[capTable[bound].field] !== null)
}

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
