/** What the record of a run says of its goals, read without the fold. */
import type { RunEvent } from 'donecheck'

export interface Entry {
  readonly sequence: number
  /** Of the goal after the event. */
  readonly goalId: string
  /** All goals so far. */
  readonly goalIds: readonly string[]
  /** What the calls of that goal have used. */
  readonly spent: { readonly inputTokens: number; readonly outputTokens: number; readonly turns: number }
}

/** One entry for each event. */
export function ledgerOf(events: readonly RunEvent[]): readonly Entry[] {
  const entries: Entry[] = []
  let before: Omit<Entry, 'sequence'> | undefined
  for (const event of events) {
    const after: Omit<Entry, 'sequence'> = entryAfter(event, before ?? beginning(event.runId))
    entries.push({ ...after, sequence: event.sequence })
    before = after
  }
  return entries
}

const nothing = { inputTokens: 0, outputTokens: 0, turns: 0 }

function beginning(goalId: string): Omit<Entry, 'sequence'> {
  return { goalId, goalIds: [goalId], spent: nothing }
}

function entryAfter(event: RunEvent, before: Omit<Entry, 'sequence'>): Omit<Entry, 'sequence'> {
  const { spent } = before
  if (event.type === 'goal-changed' && event.change.kind === 'replaced') {
    const { goalId } = event.change
    return { goalId, goalIds: [...before.goalIds, goalId], spent: nothing }
  }
  if (event.type === 'model-called') return { ...before, spent: { ...spent, turns: spent.turns + 1 } }
  if (event.type !== 'model-replied' || event.usage === null) return before
  const inputTokens = spent.inputTokens + event.usage.inputTokens
  const outputTokens = spent.outputTokens + event.usage.outputTokens
  return { ...before, spent: { ...spent, inputTokens, outputTokens } }
}
