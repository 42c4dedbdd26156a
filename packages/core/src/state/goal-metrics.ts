/** What a run's goals have to say to a dashboard, under the names that Codex gives to the same (its prefix left out). */
import type { GoalState, GoalStatus } from '../goal/index.ts'
import type { RunEvent } from '../events/index.ts'
import { evolve } from './evolve.ts'
import type { RunState } from './state.ts'

export interface GoalMetric {
  readonly name:
    | 'goal.created'
    | 'goal.resumed'
    | 'goal.blocked'
    | 'goal.usage_limited'
    | 'goal.budget_limited'
    | 'goal.completed'
    /** Histograms: one value each time that a goal comes to rest. */
    | 'goal.token_count'
    | 'goal.duration_s'
  readonly goalId: string
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** 1 for what is counted. */
  readonly value: number
  /** Of histograms: the status in which the goal came to rest. */
  readonly status?: GoalStatus
}

const countedAt: Readonly<Partial<Record<GoalStatus, GoalMetric['name']>>> = {
  blocked: 'goal.blocked',
  'usage-limited': 'goal.usage_limited',
  'budget-limited': 'goal.budget_limited',
  complete: 'goal.completed',
}

/** In the order in which it happened; nothing is said twice of a goal that stays as it is. */
export function goalMetrics(events: Iterable<RunEvent>): readonly GoalMetric[] {
  const metrics: GoalMetric[] = []
  let state: RunState | undefined
  for (const event of events) {
    const next: RunState = evolve(state, event)
    const isFirst = event.type === 'goal-set'
    metrics.push(...metricsOfChange(isFirst ? undefined : state?.goal, next, event.timeMs))
    state = next
  }
  return metrics
}

function metricsOfChange(
  before: GoalState | undefined,
  { goal, task }: RunState,
  timeMs: number,
): readonly GoalMetric[] {
  const at = { goalId: goal.id, timeMs }
  if (before?.id !== goal.id) return task === '' ? [] : [{ ...at, name: 'goal.created', value: 1 }]
  if (before.status === goal.status) return []
  const name = countedAt[goal.status]
  if (name === undefined) {
    const wasAtRest = before.status === 'paused' || countedAt[before.status] !== undefined
    return wasAtRest && goal.status === 'active' ? [{ ...at, name: 'goal.resumed', value: 1 }] : []
  }
  const { status, spent } = goal
  return [
    { ...at, name, value: 1 },
    { ...at, name: 'goal.token_count', value: spent.inputTokens + spent.outputTokens, status },
    { ...at, name: 'goal.duration_s', value: Math.floor(spent.activeMs / 1000), status },
  ]
}
