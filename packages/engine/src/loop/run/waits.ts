/** A waiting goal starts no turn and uses no tokens until the wait is over or the goal changes. */
import { type Decision, goalView } from '@donecheck/core/internal/decide'
import { fold, type RunState } from '@donecheck/core/internal/state'
import type { EpochMs, GoalFact } from '@donecheck/core/internal/events'
import {
  type Awaited,
  type WaitEnd,
  changeGoal,
  problemOfChange,
  type CommandCheck,
  type GoalChange,
  type GoalState,
} from '@donecheck/core/internal/goal'
import { given, messageOf } from '../../base/index.ts'
import { isAlive, thisHolder } from '../../system/process/index.ts'
import { isAborted } from './perform/settle-within.ts'
import type { LiveRun } from './session/session.ts'
import type { Waiting, World } from './session/world.ts'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { KeptGoalRequest } from '../../ports/store.ts'

const lookEveryMs = 500

/** Only an interrupt leaves no event. */
export async function awaitGoal(
  { awaited, expiresAtMs, reason }: Extract<Decision, { kind: 'await' }>,
  session: LiveRun,
  world: World,
): Promise<void> {
  const { clock, signal, prompts, suspend } = world
  while (!isAborted(signal)) {
    if (await takeInRequests(session, world)) return
    const isLate = clock.nowMs() >= expiresAtMs
    const how = endOf(await isOver(awaited, isLate, world), isLate)
    if (how !== undefined) {
      const goalId = session.state.goal.id
      const text = prompts.waitEnded({ reason, how })
      await session.tell({ type: 'goal-wait-ended', goalId, how }, { type: 'agent-steered', goalId, text })
      return
    }
    const elsewhere = waitingFor(awaited, expiresAtMs)
    if (suspend !== undefined && elsewhere !== undefined) suspend(elsewhere)
    else await clock.sleep(Math.max(1, Math.min(lookEveryMs, expiresAtMs - clock.nowMs())), signal)
  }
}

/** Undefined if only this machine can observe it. */
function waitingFor(awaited: Awaited, untilMs: EpochMs): Waiting | undefined {
  switch (awaited.kind) {
    case 'time':
      return { kind: 'time', untilMs, because: 'goal' }
    case 'run':
      return { kind: 'run', runId: awaited.runId, untilMs }
    case 'process':
      return undefined
  }
}

function endOf(over: boolean | undefined, isLate: boolean): WaitEnd | undefined {
  if (over === undefined) return 'unknown'
  return over ? 'over' : isLate ? 'expired' : undefined
}

/** Undefined if unknown. */
async function isOver(awaited: Awaited, isLate: boolean, { store }: World): Promise<boolean | undefined> {
  switch (awaited.kind) {
    case 'time':
      return isLate
    case 'process': {
      const { processId, processStart, host } = awaited
      const life = isAlive({ ...thisHolder(''), processId, processStart, ...given({ host }) })
      return life === 'unknown' ? undefined : life === 'dead'
    }
    case 'run': {
      const state = fold(await store.read(awaited.runId))
      return state === undefined ? undefined : state.phase.kind === 'stopped'
    }
  }
}

type AwaitProvider = Extract<Decision, { kind: 'wait'; on: 'provider' }>

/** Timers stop while the machine sleeps, so the clock is read after each of these. */
const providerLookEveryMs = 30_000

/** Spends nothing. Records the start first, so that a resumed run waits until the same time. */
export async function awaitProvider(
  { for: awaited, untilMs, reason }: AwaitProvider,
  session: LiveRun,
  { clock, signal, suspend }: World,
): Promise<void> {
  const { phase } = session.state
  if (phase.kind === 'retrying' && phase.wait === 'due')
    await session.tell({ type: 'wait-started', for: awaited, untilMs, reason })
  while (!isAborted(signal) && clock.nowMs() < untilMs) {
    if (suspend !== undefined) {
      suspend({ kind: 'time', untilMs, because: 'retry' })
      return
    }
    await clock.sleep(Math.min(providerLookEveryMs, untilMs - clock.nowMs()), signal)
  }
  if (!isAborted(signal)) await session.tell({ type: 'wait-ended' })
}

/** @param mayWait false if a host owns the loop @returns whether a request was recorded */
export async function takeInRequests(session: LiveRun, world: World, mayWait = true): Promise<boolean> {
  const { sequence, goal } = session.state
  const requests = await world.store.goalRequests(session.runId, goal.answeredRequest)
  const facts = answerAll(session.state, requests, world, mayWait)
  if (facts.length > 0) await session.tell(...facts)
  const { goal: after, phase } = session.state
  if (after.news === 'untold' && phase.kind !== 'judging') await steer(session, world)
  return session.state.sequence > sequence
}

/** A crash before it leaves the messages for the resume. */
async function steer(session: LiveRun, { prompts }: World): Promise<void> {
  const { state } = session
  const text = prompts.goalChanged(goalView(state))
  await session.tell({ type: 'agent-steered', goalId: state.goal.id, text })
}

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
