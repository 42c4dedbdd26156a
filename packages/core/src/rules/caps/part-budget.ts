/** Budgets of goal parts are hard like the run's caps; what one part leaves goes to the others (I9). */
import {
  boundingSubGoals,
  nextSubGoal,
  spentOnPart,
  statusesOf,
  type GoalSpent,
  type SubGoal,
  type SubGoalBudget,
} from '../../goal/index.ts'
import { capTable, type Amount, type Caps } from '../../budgets/index.ts'
import { hasPassed, isMidTurn, type Rule, type RunState } from '../../state/index.ts'
import {
  spendingOf,
  expectedPromptTokens,
  lastCheckMs,
  smallestReplyTokens,
  worstCostUsd,
} from './amounts.ts'

interface BoundRow {
  readonly amount: Amount
  readonly words: string
  readonly used: (spent: GoalSpent) => number | null
  readonly needed: (state: RunState) => number
}

const bounds: Readonly<Record<keyof SubGoalBudget, BoundRow>> = {
  turns: {
    amount: 'iterations',
    words: 'turns',
    used: ({ turns }) => turns,
    needed: ({ turnCallsSent, turnOpen }) => (turnOpen && turnCallsSent > 0 ? 0 : 1),
  },
  tokens: {
    amount: 'tokens',
    words: 'tokens',
    used: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    needed: (state) =>
      state.agent.reportsUsage && !state.agent.sideEffects
        ? expectedPromptTokens(state) + smallestReplyTokens
        : 1,
  },
  costUsd: { amount: 'costUsd', words: 'usd', used: ({ costUsd }) => costUsd, needed: nextStepUsd },
  activeMs: {
    amount: 'wallClockMs',
    words: 'ms',
    used: ({ activeMs }) => activeMs,
    needed: (state) => Math.max(1, lastCheckMs(state)),
  },
}

/** Nothing can be reserved for an agent that only reports past cost. */
function nextStepUsd({ agent, ...state }: RunState): number {
  return agent.prices === null
    ? Number.MIN_VALUE
    : worstCostUsd(expectedPromptTokens({ agent, ...state }), smallestReplyTokens, agent.prices)
}

/** The run's caps, narrowed by the active part's budget. @param subGoalId another part to work on */
export function capsInForce(state: RunState, subGoalId?: string): Caps {
  const { caps } = state.settings
  if (!hasBudgets(state)) return caps
  const id = subGoalId ?? partAtWork(state)
  if (id === undefined) return caps
  return boundingSubGoals(state.goal, id).reduce((narrowed, part) => narrow(narrowed, state, part), caps)
}

function hasBudgets({ goal }: RunState): boolean {
  return goal.subGoals.some(({ budget }) => budget !== undefined)
}

function partAtWork(state: RunState): string | undefined {
  const { kind } = state.phase
  const isBetweenCalls = kind === 'idle' || kind === 'starting' || kind === 'retrying' || kind === 'judging'
  return isBetweenCalls && !isMidTurn(state)
    ? nextSubGoal(state.goal, hasPassed(state))?.id
    : state.goal.chargedSubGoal
}

function narrow(caps: Caps, state: RunState, part: SubGoal): Caps {
  const spent = spentOnPart(state.goal, part.id)
  const narrowed = boundsOf(part).map(({ row, limit }) => {
    const { field } = capTable[row.amount]
    const used = row.used(spent)
    const left = used === null ? 0 : Math.max(0, limit - used)
    // Sub-runs of other parts take nothing from this one.
    const most = spendingOf(state, row.amount) - heldFor(state, part.id, row.amount) + left
    return [field, Math.min(caps[field] ?? Infinity, most)] as const
  })
  return { ...caps, ...Object.fromEntries(narrowed) }
}

function heldFor({ subRuns }: RunState, partId: string, amount: Amount): number {
  if (amount === 'wallClockMs') return 0
  return subRuns.open
    .filter(({ subGoalId }) => subGoalId === partId)
    .reduce((sum, { allocated }) => sum + (allocated[capTable[amount].field] ?? 0), 0)
}

function boundsOf({ budget = {} }: SubGoal) {
  return (Object.keys(bounds) as readonly (keyof SubGoalBudget)[]).flatMap((name) => {
    const limit = budget[name]
    return limit === undefined ? [] : [{ row: bounds[name], limit }]
  })
}

interface OverBudget {
  readonly id: string
  /** Such as `4,100 of 5,000 tokens: no room for the next step`. */
  readonly reason: string
}

export function partOverBudget(state: RunState): OverBudget | undefined {
  if (!hasBudgets(state)) return undefined
  const id = nextSubGoal(state.goal, hasPassed(state))?.id
  if (id === undefined) return undefined
  for (const part of boundingSubGoals(state.goal, id)) {
    const spent = spentOnPart(state.goal, part.id)
    for (const { row, limit } of boundsOf(part)) {
      const used = row.used(spent)
      if (used !== null && used + row.needed(state) <= limit) continue
      const reason = `${used ?? 'an unknown part'} of ${limit} ${row.words}: no room for the next step`
      return { id: part.id, reason }
    }
  }
  return undefined
}

/** Whether a required check outside all parts fails, so that work remains. */
function isWholeOpen(state: RunState): boolean {
  const ofParts = new Set(state.goal.subGoals.flatMap(({ checks }) => checks))
  const passed = hasPassed(state)
  return state.settings.verifiers.some(
    ({ name, role, required }) => required && role === 'check' && !ofParts.has(name) && !passed(name),
  )
}

/** Ends the run if only parts without budget remain. */
export const partBudgets: Rule = (state) => {
  const { goal, phase } = state
  const mayEnd = phase.kind === 'idle' || phase.kind === 'retrying' || phase.kind === 'judging'
  if (goal.overBudget.length === 0 || !mayEnd) return undefined
  if (nextSubGoal(goal, hasPassed(state)) !== undefined || isWholeOpen(state)) return undefined
  const statuses = statusesOf(goal, hasPassed(state))
  const over = goal.subGoals.filter(({ id }) => statuses.get(id) === 'over-budget').map(({ id }) => id)
  if (over.length === 0) return undefined
  return {
    rule: 'part-budgets',
    level: 'stop',
    key: over.join(' '),
    message: `no part that is open has budget left: ${over.join(', ')}`,
    numbers: { parts: over.length },
    basedOn: [state.sequence],
    stop: { reason: 'blocked' },
  }
}
