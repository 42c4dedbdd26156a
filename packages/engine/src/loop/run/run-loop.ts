/** The only loop: read the state, decide, perform one decision through one port, record what happened, until it is stop. */
import { takeInRequests } from './goal/take-in.ts'
import { isAtBoundary } from '@donecheck/core/decide'
import type { CommandCheck } from '@donecheck/core/goal'
import { recallFailure } from './memory/recall.ts'
import { fireErrors } from './hooks/fire-turn-hooks.ts'
import { perform } from './perform/perform.ts'
import type { Session } from './session/session.ts'
import type { World } from './session/world.ts'

export async function runLoop(session: Session, given: World): Promise<void> {
  let world = given
  let known: readonly CommandCheck[] = []
  const met = new Set<string>()
  while (session.state.phase.kind !== 'stopped') {
    if (world.signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(world.signal) })
    if (isAtBoundary(session.state)) await takeInRequests(session, world)
    await recallFailure(session, world, met)
    const { addedChecks } = session.state.goal
    if (addedChecks !== known) world = withMoreChecks(given, addedChecks)
    known = addedChecks
    const { sequence } = session.state
    const decision = session.decide()
    const before = world.history().length
    await perform(decision, session, world)
    if (world.hooks.has('on_error')) await fireErrors(world.history().slice(before), session, world)
    if (session.state.sequence === sequence && !isInterrupted(world))
      throw new TypeError(`the decision ${decision.kind} led to no event (I4)`)
  }
}

/** Whoever goes on with a run finds those that it was given on its way. */
function withMoreChecks(given: World, checks: readonly CommandCheck[]): World {
  if (checks.length === 0 || given.moreChecks === null) return given
  const more = given.moreChecks.make(checks)
  return { ...given, ...more, verifiers: [...given.verifiers, ...more.verifiers] }
}

/** Asked anew each time: it changes while an effect is waited for. */
function isInterrupted(world: World): boolean {
  return world.signal.aborted
}

function interrupter(signal: AbortSignal): string {
  const reason: unknown = signal.reason
  if (typeof reason === 'string') return reason
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'cancel'
}
