import type { Fact } from '@donecheck/core/events'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

type Refusal = Omit<Extract<Fact, { type: 'tool-refused' }>, 'type' | 'callId'>

/** Records that a call must not run, and tells an agent that would run it itself. */
export async function refuse(
  callId: string,
  refusal: Refusal,
  session: Session,
  world: World,
): Promise<void> {
  await session.tell({ type: 'tool-refused', callId, ...refusal })
  const { own } = world.drive
  if (own?.toolOf(callId) !== undefined) await own.refuse(callId, refusal.reason)
}
