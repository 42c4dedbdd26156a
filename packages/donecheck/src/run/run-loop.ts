/** The only loop: read the state, decide, perform one decision through one port, record what happened, until it is stop. */
import { perform } from './perform.ts'
import type { Session } from './session.ts'
import type { World } from './world.ts'

export async function runLoop(session: Session, world: World): Promise<void> {
  while (session.state.phase.kind !== 'stopped') {
    if (world.signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(world.signal) })
    await perform(session.decide(), session, world)
  }
}

function interrupter(signal: AbortSignal): string {
  const reason: unknown = signal.reason
  if (typeof reason === 'string') return reason
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'cancel'
}
