/**
 * A host may have processes at work while checks run, and nobody here can end them: what the first check has seen need not be
 * what stood there when the last one was over.
 */
import { runsLast, type Decision } from '../core/index.ts'
import type { RunState } from '../events/index.ts'
import { worldOf } from './world-of.ts'
import type { Place } from './place.ts'

export function endsVerified(decision: Decision): boolean {
  return decision.kind === 'stop' && decision.transition.outcome === 'verified'
}

/**
 * Looks at the tree once more, and asks all checks anew where it is not the one that they have passed. A check that writes to the
 * tree itself is asked twice.
 */
export async function askAnewOfOtherTree(place: Place, signal: AbortSignal): Promise<void> {
  const { session } = place
  const { world, engine } = await worldOf(place, signal)
  await engine.observe(session, world)
  if (!isOfOtherTree(session.state)) return
  const shown = session.state.settings.verifiers.filter(({ role }) => !runsLast(role))
  const verifiers = shown.map(({ name }) => name)
  await engine.perform({ kind: 'verify', trigger: 'claim', verifiers }, session, world)
}

function isOfOtherTree({ checks, workspace: { current } }: RunState): boolean {
  return Object.values(checks).some(
    ({ latest }) =>
      latest?.status === 'passed' && latest.fingerprint !== undefined && latest.fingerprint !== current,
  )
}
