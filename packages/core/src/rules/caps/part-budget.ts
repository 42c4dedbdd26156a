/** Budgets of parts of a goal: hard like the caps of the run, and what is left out for one part goes to the others (I9). */
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
  /** The same under the caps of a run. */
  readonly amount: Amount
  readonly words: string
  /** Null: nobody knows any more. */
  readonly used: (spent: GoalSpent) => number | null
  /** What the next step takes at least. */
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
      state.drive.reportsUsage && !state.drive.sideEffects
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

/** Of an agent that only tells what it has cost nothing can be reserved. */
function nextStepUsd({ drive, ...state }: RunState): number {
  return drive.prices === null
    ? Number.MIN_VALUE
    : worstCostUsd(expectedPromptTokens({ drive, ...state }), smallestReplyTokens, drive.prices)
}

/**
 * The caps of the run, narrowed by what is left for the part that is worked at.
 * @param subGoalId another part, which is to be worked at
 */
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
    // What sub-runs of other parts hold takes nothing from this one.
    const most = spendingOf(state, row.amount) - heldFor(state, part.id, row.amount) + left
    return [field, Math.min(caps[field] ?? Infinity, most)] as const
  })
  return { ...caps, ...Object.fromEntries(narrowed) }
}

/** In the hands of sub-runs that were started for the part. */
function heldFor({ subRuns }: RunState, partId: string, amount: Amount): number {
  if (amount === 'wallClockMs') return 0
  return subRuns.open
    .filter(({ subGoalId }) => subGoalId === partId)
    .reduce((sum, { carved }) => sum + (carved[capTable[amount].field] ?? 0), 0)
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

/** The part that has no room for the turn that would begin now. Undefined: there is room, or no bound. */
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

/** A required check that belongs to no part does not pass: there is work beside the parts. */
function isWholeOpen(state: RunState): boolean {
  const ofParts = new Set(state.goal.subGoals.flatMap(({ checks }) => checks))
  const passed = hasPassed(state)
  return state.settings.verifiers.some(
    ({ name, role, required }) => required && role === 'check' && !ofParts.has(name) && !passed(name),
  )
}

/** Ends the run when nothing is left to do but parts without budget: nobody pays for work that no part has room for. */
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
    restsOn: [state.sequence],
    stop: { reason: 'blocked' },
  }
}
