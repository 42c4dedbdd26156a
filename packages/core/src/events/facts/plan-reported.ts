import { maxPlanEntries } from './bounds.ts'
import type { AgentPlanReported, PlanEntry } from './run-facts.ts'

export function planReported(plan: readonly PlanEntry[]): AgentPlanReported {
  const entries = plan.slice(0, maxPlanEntries).map(({ text, state }) => ({ text, state }))
  const leftOut = plan.length - entries.length
  return { type: 'agent-plan-reported', entries, ...(leftOut === 0 ? {} : { leftOut }) }
}
