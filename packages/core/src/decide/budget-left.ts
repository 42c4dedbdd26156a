import type { BudgetLeft } from './prompts/index.ts'
import type { RunState } from '../state/index.ts'
import { spendingOf } from '../rules/caps/index.ts'

/** What the caps leave of turns and tokens. */
export function budgetLeft(state: RunState): BudgetLeft {
  const { caps } = state.settings
  return {
    turns:
      caps.maxIterations === null ? null : Math.max(0, caps.maxIterations - spendingOf(state, 'iterations')),
    tokens:
      caps.maxTokens === null || !state.drive.reportsUsage
        ? null
        : Math.max(0, caps.maxTokens - spendingOf(state, 'tokens')),
  }
}
