/** The plan that Codex tells of its work. An entry in a state that nobody knows is not done. Pure. */
import { isTrueIn, listIn, textIn, type AgentSignal, type Payload } from '../../agents/index.ts'
import type { PlanEntry } from '../../events/index.ts'

type PlanSignal = Extract<AgentSignal, { kind: 'plan' }>

/** As the app-server tells it: `turn/plan/updated`. */
export function planOfTurn(params: Payload): PlanSignal {
  const entries = listIn(params, 'plan').map((step) => ({
    text: textIn(step, 'step') ?? '',
    state: stateOf(textIn(step, 'status')),
  }))
  return { kind: 'plan', entries }
}

/** As `codex exec` tells it, an item `todo_list`: what is at work it does not say. */
export function planOfList(item: Payload): PlanSignal {
  const entries = listIn(item, 'items').map((entry) => ({
    text: textIn(entry, 'text') ?? '',
    state: isTrueIn(entry, 'completed') ? ('completed' as const) : ('pending' as const),
  }))
  return { kind: 'plan', entries }
}

function stateOf(status: string | undefined): PlanEntry['state'] {
  if (status === 'completed') return 'completed'
  return status === 'inProgress' ? 'in-progress' : 'pending'
}
