/** The plan that an agent tells of its own work. It is its word and no more: nothing follows of it, least of all that something is done. */

export const planEntryStates = ['pending', 'in-progress', 'completed'] as const

export interface PlanEntry {
  readonly text: string
  readonly state: (typeof planEntryStates)[number]
}

/** The agent has told under what name its session can be gone on with. */
export interface AgentSessionOpened {
  readonly type: 'agent-session-opened'
  readonly sessionId: string
}

/** All of it, as it stood when the agent next replied; it replaces the one before. */
export interface AgentPlanReported {
  readonly type: 'agent-plan-reported'
  readonly entries: readonly PlanEntry[]
  /** Further entries; absent: none. */
  readonly leftOut?: number
}

/** Entries that are recorded of one plan. */
export const maxPlanEntries = 100

export function planReported(plan: readonly PlanEntry[]): AgentPlanReported {
  const entries = plan.slice(0, maxPlanEntries).map(({ text, state }) => ({ text, state }))
  const leftOut = plan.length - entries.length
  return { type: 'agent-plan-reported', entries, ...(leftOut === 0 ? {} : { leftOut }) }
}
