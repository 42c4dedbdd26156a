/** What was asked of the goal from outside, answered in the order in which it came; the drive is told once for all of it. */
import { goalView } from '@donecheck/core/decide'
import type { GoalFact } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { VerifierDescription } from '@donecheck/core/settings'
import {
  changeGoal,
  problemOfChange,
  type CommandCheck,
  type GoalChange,
  type GoalState,
} from '@donecheck/core/goal'
import { messageOf } from '../../../base/index.ts'
import type { KeptGoalRequest } from '../../../ports/store.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

/**
 * Called between two effects.
 * @param mayWait false: a host owns the loop, and nobody could hold it
 * @returns whether anything was recorded
 */
export async function takeInRequests(session: Session, world: World, mayWait = true): Promise<boolean> {
  const { sequence, goal } = session.state
  const requests = await world.store.goalRequests(session.runId, goal.answeredRequest)
  const facts = answerAll(session.state, requests, world, mayWait)
  if (facts.length > 0) await session.tell(...facts)
  const { goal: after, phase } = session.state
  // At the end of a turn the feedback says it.
  if (after.news === 'untold' && phase.kind !== 'judging') await steer(session, world)
  return session.state.sequence > sequence
}

/** A crash before it leaves the news untold: it is told after the resume. */
async function steer(session: Session, { prompts }: World): Promise<void> {
  const { state } = session
  const text = prompts.goalChanged(goalView(state))
  await session.tell({ type: 'drive-steered', goalId: state.goal.id, text })
}

/** Each request is measured by the goal that those before it have made. */
function answerAll(
  { goal: first, settings, sequence }: RunState,
  requests: readonly KeptGoalRequest[],
  world: World,
  mayWait: boolean,
): readonly GoalFact[] {
  let goal = first
  const names = settings.verifiers.map(({ name }) => name)
  return requests.map(({ number, request }): GoalFact => {
    const { by } = request
    const change = withRules(request.change, goal)
    const made = describeChecks('checks' in change ? change.checks : [], world)
    const isHeld = change.kind === 'wait-began' && !mayWait ? noWaiting : undefined
    const reason = isHeld ?? problemOfChange(goal, request, names) ?? made.problem
    if (reason !== undefined)
      return { type: 'goal-change-refused', by, kind: change.kind, reason, request: number }
    const goalId = goal.id
    goal = changeGoal(goal, change, sequence, by)
    names.push(...made.verifiers.map(({ name }) => name))
    const brought = made.verifiers.length === 0 ? {} : { verifiers: made.verifiers }
    return { type: 'goal-changed', goalId, by, change, request: number, ...brought }
  })
}

const noWaiting = 'a session of the hooks of an agent cannot wait: it goes on with its next prompt'

/** Another wording leaves the constraints as they are. */
function withRules(change: GoalChange, { rules }: GoalState): GoalChange {
  const isReworded = change.kind === 'objective-edited' && rules !== ''
  return isReworded ? { ...change, objective: `${change.objective}\n\n${rules}` } : change
}

interface DescribedChecks {
  readonly verifiers: readonly VerifierDescription[]
  readonly problem?: string
}

function describeChecks(checks: readonly CommandCheck[], { moreChecks }: World): DescribedChecks {
  if (checks.length === 0) return { verifiers: [] }
  if (moreChecks === null) return { verifiers: [], problem: 'this run takes no more checks' }
  try {
    return { verifiers: moreChecks.describe(checks) }
  } catch (error) {
    return { verifiers: [], problem: messageOf(error) }
  }
}
