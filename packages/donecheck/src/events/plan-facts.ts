/** The plan that an agent tells of its own work. It is its word and no more: nothing follows of it, least of all that something is done. */

export const planEntryStates = ['pending', 'in-progress', 'completed'] as const

export interface PlanEntry {
  readonly text: string
  readonly state: (typeof planEntryStates)[number]
}

/** All of it, as it stood when the agent next replied; it replaces the one before. */
export interface AgentPlanTold {
  readonly type: 'agent-plan-told'
  readonly entries: readonly PlanEntry[]
  /** Further entries; absent: none. */
  readonly leftOut?: number
}

/** Entries that are recorded of one plan. */
export const mostPlanEntries = 100
/** In UTF-16 units, when secrets are masked. */
const longestEntry = 300

export function planTold(plan: readonly PlanEntry[]): AgentPlanTold {
  const entries = plan.slice(0, mostPlanEntries).map(({ text, state }) => ({ text, state }))
  const leftOut = plan.length - entries.length
  return { type: 'agent-plan-told', entries, ...(leftOut === 0 ? {} : { leftOut }) }
}

/** Cut only now: half a secret would not be known for one. */
export function maskPlan<Fact extends AgentPlanTold>(fact: Fact, mask: (text: string) => string): Fact {
  return { ...fact, entries: fact.entries.map((entry) => ({ ...entry, text: cut(mask(entry.text)) })) }
}

function cut(text: string): string {
  return text.length <= longestEntry ? text : `${text.slice(0, longestEntry - 1).toWellFormed()}…`
}
