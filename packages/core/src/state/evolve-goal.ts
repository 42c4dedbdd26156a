/** Maps each event to the goal's state table, and charges it to a part. */
import {
  changeGoal,
  firstGoal,
  moveGoal,
  nextSubGoal,
  nothingSpent,
  sumOfSpent,
  type GoalEvent,
  type HasPassed,
  type GoalSpent,
  type GoalState,
} from '../goal/index.ts'
import { estimateTokens, type Consumption } from '../budgets/index.ts'
import type { RunEvent, GoalFact } from '../events/index.ts'
import { unaskedCheck, hasPassed } from './readings.ts'
import type { RunState } from './state.ts'
import type { VerifierDescription } from '../events/settings/index.ts'
import type { StopTransition } from '../events/transitions/index.ts'

/** @param consumption after the event */
export function evolveGoal(state: RunState, consumption: Consumption, event: RunEvent): GoalState {
  const used = spentBetween(state.consumption, consumption)
  // A turn belongs to its part from the first call on.
  if (event.type === 'model-called') {
    const called = modelCalled(state, state.goal, event)
    return chargeGoal(called, used, called.chargedSubGoal)
  }
  const charged = chargeGoal(state.goal, used, chargedPart(state, event))
  switch (event.type) {
    case 'goal-set':
      return firstGoal(state.runId, event.subGoals ?? [], event.rules)
    case 'goal-changed':
      return answered(changeGoal(charged, event.change, event.sequence, event.by), event.request)
    case 'goal-change-refused':
      return answered(charged, event.request)
    case 'agent-steered':
      return { ...charged, news: charged.news === 'untold' ? 'told' : charged.news, changedParts: [] }
    case 'goal-wait-ended':
      return moved(charged, 'wait-ended', '', event.sequence)
    case 'verdict-given': {
      const { verifier } = event.verdict
      const { unaskedChecks } = charged
      return unaskedChecks.includes(verifier)
        ? { ...charged, unaskedChecks: unaskedChecks.filter((name) => name !== verifier) }
        : charged
    }
    case 'final-summary-called':
      return { ...charged, chargedSubGoal: undefined }
    case 'turn-ended':
      return turnFinished(state, charged, event)
    case 'run-resumed':
      // A cleared goal stays so until another is set.
      return charged.isCleared || charged.waiting !== undefined ? charged : resumed(charged, event.sequence)
    case 'run-stopped':
      return moved(charged, eventOfEnd(state, event.transition), event.transition.message, event.sequence)
    default:
      return charged
  }
}

/** Applies a goal change to the task, the checks and the next prompt. */
export function goalFactBooked(state: RunState, fact: GoalFact): RunState {
  if (fact.type === 'goal-set')
    return { ...state, task: fact.task, promptTokens: state.promptTokens + estimateTokens(fact.task) }
  if (fact.type === 'agent-steered')
    return { ...state, promptTokens: state.promptTokens + estimateTokens(fact.text) }
  if (fact.type !== 'goal-changed') return state
  const { change, verifiers = [] } = fact
  if (change.kind === 'message-given')
    return { ...state, promptTokens: state.promptTokens + estimateTokens(change.text) }
  // Requesting completion during a turn is a claim.
  if (change.kind === 'completion-requested') return { ...state, tally: { ...state.tally, claimed: true } }
  const isReworded = change.kind === 'replaced' || change.kind === 'objective-edited'
  const changed = isReworded ? { ...state, task: change.objective } : state
  return verifiers.length === 0 ? changed : withVerifiers(changed, verifiers)
}

/** With new checks no earlier verdict counts. */
function withVerifiers(state: RunState, verifiers: readonly VerifierDescription[]): RunState {
  const { phase, settings } = state
  const isJudged = phase.kind === 'judging' && phase.verifiedBy !== undefined
  return {
    ...state,
    settings: { ...settings, verifiers: [...settings.verifiers, ...verifiers] },
    checks: { ...state.checks, ...Object.fromEntries(verifiers.map(({ name }) => [name, unaskedCheck])) },
    phase: isJudged ? { ...phase, verifiedBy: undefined } : phase,
    lastChecksAsked: false,
  }
}

function answered(goal: GoalState, request: number | undefined): GoalState {
  return request === undefined ? goal : { ...goal, answeredRequest: request }
}

function moved(goal: GoalState, event: GoalEvent, reason: string, sequence: number): GoalState {
  const { status } = moveGoal(goal.status, event)
  if (status === goal.status) return goal
  return {
    ...goal,
    status,
    reason,
    basedOn: [sequence],
    waiting: status === 'waiting' ? goal.waiting : undefined,
  }
}

/** Charges the next part; a retry moves to another part if the first has no budget for it. */
function modelCalled(
  state: RunState,
  goal: GoalState,
  { turn, sequence }: Extract<RunEvent, { type: 'model-called' }>,
): GoalState {
  // Retries and steps of an agent with its own tools belong to the current turn.
  const isSameTurn = turn === state.turn
  if (isSameTurn && goal.overBudget.length === 0) return { ...goal, news: 'none' }
  const chargedSubGoal = nextSubGoal(goal, hasPassed(state))?.id
  const called: GoalState = { ...goal, news: 'none', chargedSubGoal }
  if (isSameTurn) return called
  return moved(called, 'turn-started', '', sequence)
}

/** A blocker may be gone after a resume, so its count restarts. */
function resumed(goal: GoalState, sequence: number): GoalState {
  return { ...moved(goal, 'resumed', '', sequence), blocker: undefined }
}

/** Blockers count in consecutive turns. A refusal by the provider is last known here. */
function turnFinished(
  state: RunState,
  goal: GoalState,
  { transition, sequence }: Extract<RunEvent, { type: 'turn-ended' }>,
): GoalState {
  const { blocker, news } = goal
  const finished: GoalState = {
    ...goal,
    ...(news === 'untold' && transition.reason === 'goal_changed' ? { news: 'told', changedParts: [] } : {}),
    blocker: blocker?.isReported === true ? { ...blocker, isReported: false } : undefined,
  }
  if (transition.kind === 'continue' || !isUsageLimit(state, transition)) return finished
  return moved(finished, 'usage-limited', transition.message, sequence)
}

function isUsageLimit({ phase, goal }: RunState, { reason }: StopTransition): boolean {
  if (reason !== 'error' && reason !== 'blocked') return false
  if (phase.kind !== 'agent-failed' && phase.kind !== 'retrying') return goal.status === 'usage-limited'
  return phase.failure.kind === 'rate-limited' || phase.failure.kind === 'usage-limited'
}

function eventOfEnd(state: RunState, transition: StopTransition): GoalEvent {
  const { reason } = transition
  switch (reason) {
    case 'task_complete':
      return 'completed'
    case 'hard_cap':
      return 'budget-limited'
    case 'blocked':
      if (isUsageLimit(state, transition)) return 'usage-limited'
      return isOutOfBudget(state.goal, hasPassed(state)) ? 'budget-limited' : 'blocked'
    case 'user_interrupt':
      return 'aborted'
    case 'model_ended':
      return 'turn-finished'
    case 'error':
      return isUsageLimit(state, transition) ? 'usage-limited' : 'blocked'
    case 'verifier_failed_unrecoverable':
    case 'diminishing':
    case 'loop_detected':
    case 'stagnated':
    case 'awaiting_approval':
    case 'permission_denied':
      return 'blocked'
  }
}

function isOutOfBudget(goal: GoalState, passed: HasPassed): boolean {
  return goal.overBudget.length > 0 && nextSubGoal(goal, passed) === undefined
}

function spentBetween(before: Consumption, after: Consumption): GoalSpent {
  return {
    inputTokens: after.inputTokens - before.inputTokens,
    cachedInputTokens: after.cachedInputTokens - before.cachedInputTokens,
    outputTokens: after.outputTokens - before.outputTokens,
    costUsd: costBetween(before, after),
    activeMs: after.activeMs - before.activeMs,
    turns: after.iterations - before.iterations,
  }
}

/** Null if unknown. Once the run's cost is unknown, events without calls still cost 0. */
function costBetween(before: Consumption, after: Consumption): number | null {
  if (before.costUsd !== null && after.costUsd !== null) return after.costUsd - before.costUsd
  const isAsBefore =
    before.costUsd === after.costUsd &&
    before.callsWithoutUsage === after.callsWithoutUsage &&
    before.inputTokens === after.inputTokens &&
    before.outputTokens === after.outputTokens
  return isAsBefore ? 0 : null
}

function chargedPart({ goal, subRuns }: RunState, event: RunEvent): string | undefined {
  const ended =
    event.type === 'sub-run-ended'
      ? subRuns.open.find(({ childRunId }) => childRunId === event.childRunId)?.subGoalId
      : undefined
  return ended ?? goal.chargedSubGoal
}

/** The difference already includes sub-runs and refunds. */
function chargeGoal(goal: GoalState, used: GoalSpent, id: string | undefined): GoalState {
  if (isNothing(used)) return goal
  const onSubGoals =
    id === undefined
      ? goal.spentOnSubGoals
      : { ...goal.spentOnSubGoals, [id]: sumOfSpent(goal.spentOnSubGoals[id] ?? nothingSpent, used) }
  return { ...goal, spent: sumOfSpent(goal.spent, used), spentOnSubGoals: onSubGoals }
}

function isNothing({ inputTokens, outputTokens, costUsd, activeMs, turns }: GoalSpent): boolean {
  return inputTokens === 0 && outputTokens === 0 && costUsd === 0 && activeMs === 0 && turns === 0
}
