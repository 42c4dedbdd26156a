import { isAtBoundary } from '@donecheck/core/decide'
import type { Decision } from '@donecheck/core/decide'
import { runsLast } from '@donecheck/core/policies'
import type { NewEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import { type SessionContext, buildWorld } from '../record/session-context.ts'

/** `broken-off`: what was to be done next was aborted, and nothing is known of it. */
export type Progress = 'at-work' | 'over' | 'broken-off'

/** So many notes and refusals may follow from one thing that happened; more is no decision. */
export const maxSteps = 50

/** Tells the facts and what follows from them without looking at the world, in one append. */
export async function recordAndGoOn(facts: readonly NewEvent[], context: SessionContext): Promise<Progress> {
  const { session } = context
  const batch = [...facts]
  for (let step = 0; step < maxSteps; step += 1) {
    const decision = session.consider(...batch)
    const follows = factsOf(decision)
    if (follows.length > 0) batch.push(...follows)
    if (isHostsTurn(decision)) {
      await session.tell(...batch)
      return 'at-work'
    }
    if (follows.length === 0) break
  }
  // What must be looked at is at hand before anything is recorded.
  await context.world()
  await session.tell(...batch)
  return goOn(context)
}

export function factsOf(decision: Decision): readonly NewEvent[] {
  switch (decision.kind) {
    case 'note':
      return [{ type: 'finding-noted', finding: decision.finding }]
    case 'call-model':
      return [modelCalledFact(decision)]
    case 'refuse-tools': {
      const { by, reason } = decision
      return decision.callIds.map((callId): NewEvent => ({ type: 'tool-refused', callId, by, reason }))
    }
    default:
      return []
  }
}

function isHostsTurn({ kind }: Decision): boolean {
  return kind === 'call-model' || kind === 'run-tools' || kind === 'wait'
}

function modelCalledFact({ turn, attempt }: Extract<Decision, { kind: 'call-model' }>): NewEvent {
  return { type: 'model-called', turn, attempt }
}

export async function goOn(context: SessionContext, signal = context.signal): Promise<Progress> {
  const { session } = context
  const { world, engine } = await buildWorld(context, signal)
  let isSameTree = false
  while (session.state.phase.kind !== 'stopped') {
    if (context.parts.signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(context.parts.signal) })
    // The checks of a session are those of its agent's hooks: none is added on the way.
    if (isAtBoundary(session.state))
      await engine.takeInRequests(session, { ...world, moreChecks: null }, false)
    const decision = session.decide()
    if (decision.kind === 'call-model') await session.tell(modelCalledFact(decision))
    if (isHostsTurn(decision)) return 'at-work'
    const { sequence } = session.state
    if (endsVerified(decision) && !isSameTree) {
      isSameTree = true
      await recheckChangedTree(context, signal)
      if (world.signal.aborted && session.state.phase.kind === 'verifying') return 'broken-off'
      continue
    }
    await engine.perform(decision, session, world)
    if (session.state.sequence === sequence) return 'broken-off'
    if (world.signal.aborted && session.state.phase.kind === 'verifying') return 'broken-off'
  }
  return 'over'
}

function interrupter({ reason }: AbortSignal): string {
  if (typeof reason === 'string') return reason
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'cancel'
}

function endsVerified(decision: Decision): boolean {
  return decision.kind === 'stop' && decision.transition.outcome === 'verified'
}

/**
 * A host may have processes at work while checks run, and nobody here can end them: what the first check has seen need not be what
 * stood there when the last one was over.
 *
 * Looks at the tree once more, and asks all checks anew where it is not the one that they have passed. A check that writes to the
 * tree itself is asked twice.
 */
async function recheckChangedTree(context: SessionContext, signal: AbortSignal): Promise<void> {
  const { session } = context
  const { world, engine } = await buildWorld(context, signal)
  await engine.observe(session, world)
  if (!isOfAnotherTree(session.state)) return
  const shown = session.state.settings.verifiers.filter(({ role }) => !runsLast(role))
  const verifiers = shown.map(({ name }) => name)
  await engine.perform({ kind: 'verify', trigger: 'claim', verifiers }, session, world)
}

function isOfAnotherTree({ checks, workspace: { current } }: RunState): boolean {
  return Object.values(checks).some(
    ({ latest }) =>
      latest?.status === 'passed' && latest.fingerprint !== undefined && latest.fingerprint !== current,
  )
}
