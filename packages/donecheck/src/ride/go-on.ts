/** After something happened: the engine's own decisions, until the host is at work again or the run is over. */
import type { Decision } from '../core/index.ts'
import type { Told } from '../events/index.ts'
import { askAnewOfOtherTree, endsVerified } from './same-tree.ts'
import type { Place } from './place.ts'
import { worldOf } from './world-of.ts'

/** `broken-off`: what was to be done next was aborted, and nothing is known of it. */
export type Going = 'at-work' | 'over' | 'broken-off'

/** So many notes and refusals may follow from one thing that happened; more is no decision. */
const mostSteps = 50

/** Tells the facts and what follows from them without looking at the world, in one append. */
export async function tellAndGoOn(facts: readonly Told[], place: Place): Promise<Going> {
  const { session } = place
  const batch = [...facts]
  for (let step = 0; step < mostSteps; step += 1) {
    const decision = session.consider(...batch)
    const follows = withoutLooking(decision)
    if (follows.length > 0) batch.push(...follows)
    if (isHostsTurn(decision)) {
      await session.tell(...batch)
      return 'at-work'
    }
    if (follows.length === 0) break
  }
  // What must be looked at is at hand before anything is recorded.
  await place.world()
  await session.tell(...batch)
  return goOn(place)
}

/** What the decision is as facts, where that is all there is to it. */
function withoutLooking(decision: Decision): readonly Told[] {
  switch (decision.kind) {
    case 'note':
      return [{ type: 'finding-noted', finding: decision.finding }]
    case 'call-model':
      return [calledFact(decision)]
    case 'refuse-tools': {
      const { by, reason } = decision
      return decision.callIds.map((callId): Told => ({ type: 'tool-refused', callId, by, reason }))
    }
    default:
      return []
  }
}

function isHostsTurn({ kind }: Decision): boolean {
  return kind === 'call-model' || kind === 'run-tools' || kind === 'wait'
}

function calledFact({ turn, attempt }: Extract<Decision, { kind: 'call-model' }>): Told {
  return { type: 'model-called', turn, attempt }
}

export async function goOn(place: Place, signal = place.signal): Promise<Going> {
  const { session } = place
  const { world, engine } = await worldOf(place, signal)
  let isSameTree = false
  while (session.state.phase.kind !== 'stopped') {
    if (place.parts.signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(place.parts.signal) })
    const decision = session.decide()
    if (decision.kind === 'call-model') await session.tell(calledFact(decision))
    if (isHostsTurn(decision)) return 'at-work'
    const { sequence } = session.state
    if (endsVerified(decision) && !isSameTree) {
      isSameTree = true
      await askAnewOfOtherTree(place, signal)
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
