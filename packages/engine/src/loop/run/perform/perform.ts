/** One decision, one effect, at least one event (I4); only an interrupt may skip the event. */
import { given } from '../../../base/index.ts'
import { awaitGoal, takeInRequests, awaitProvider } from '../waits.ts'
import { feedbackAtStop, isAtBoundary, type Decision } from '@donecheck/core/internal/decide'
import { runsRequests } from '@donecheck/core/internal/goal'
import { resumableOutcomes, turnStaysOpen } from '@donecheck/core/internal/decide/stops'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { fireAfterTurn, fireAtEnd } from '../hooks.ts'
import { observe } from '../verify/trees.ts'
import { callModel, finalSummary } from './call-model.ts'
import { refuse, runTools } from './run-tools.ts'
import { judgeReply, settleReply } from '../replies.ts'
import { verify } from '../verify/verify.ts'
import type { LiveRun } from '../session/session.ts'
import type { World } from '../session/world.ts'

const needsRest: readonly Decision['kind'][] = [
  'observe',
  'verify',
  'judge-reply',
  'settle-reply',
  'final-summary',
  'await',
  'stop',
]

export async function perform(decision: Decision, session: LiveRun, world: World): Promise<void> {
  // Stop the agent first: it would keep changing the tree during a check.
  if (needsRest.includes(decision.kind)) await world.agent.own?.cancel()
  switch (decision.kind) {
    case 'observe':
      return observe(session, world)
    case 'verify':
      return verify(decision, session, world)
    case 'call-model':
      return callModel(decision, session, world)
    case 'run-tools':
      return runTools(decision, session, world)
    case 'refuse-tools': {
      const { callIds, reason, by } = decision
      for (const callId of callIds) await refuse(callId, { by, reason }, session, world)
      return
    }
    case 'note':
      await session.tell({ type: 'finding-noted', finding: decision.finding })
      return
    case 'continue': {
      const { transition, feedback } = decision
      const { turn } = session.state
      await session.tell({ type: 'turn-ended', turn, transition, ...given({ feedback }) })
      return fireAfterTurn(transition, session, world)
    }
    case 'final-summary':
      return finalSummary(decision, session, world)
    case 'judge-reply':
      return judgeReply(decision, session, world)
    case 'settle-reply':
      return settleReply(decision, session, world)
    case 'await':
      return awaitGoal(decision, session, world)
    case 'change-goal': {
      const { id: goalId } = session.state.goal
      await session.tell({ type: 'goal-changed', goalId, by: runsRequests, change: decision.change })
      return
    }
    case 'stop':
      // Answers last requests before the run ends for good.
      if (isAtBoundary(session.state) && (await takeInRequests(session, world))) return
      return stop(decision.transition, session, world)
    case 'wait':
      if (decision.on === 'provider') return awaitProvider(decision, session, world)
      throw new TypeError(`the loop met an announced ${decision.on} call that it does not perform itself`)
  }
}

async function stop(transition: StopTransition, session: LiveRun, world: World): Promise<void> {
  const { turn, turnOpen } = session.state
  const stopped = { type: 'run-stopped' as const, transition }
  if (!turnOpen || turnStaysOpen.includes(transition.reason)) {
    await fireAtEnd(transition, session, world)
    await session.tell(stopped)
    return
  }
  const judgement = { aggregate: world.checking.aggregate, prompts: world.prompts }
  const feedback = mayGoOn(transition) ? feedbackAtStop(session.state, judgement) : undefined
  const ended = { type: 'turn-ended' as const, turn, transition }
  await fireAfterTurn(transition, session, world)
  await fireAtEnd(transition, session, world)
  await session.tell({ ...ended, ...given({ feedback }) }, stopped)
}

function mayGoOn({ reason, outcome }: StopTransition): boolean {
  return reason === 'hard_cap' || resumableOutcomes.includes(outcome)
}
