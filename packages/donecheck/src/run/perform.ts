/** One decision, one effect, at least one event before the next decision (I4). An interrupt alone may leave it without. */
import { turnStaysOpen, type Decision } from '../core/index.ts'
import type { StopTransition } from '../events/index.ts'
import { observe } from './observe.ts'
import { callModel } from './perform-model.ts'
import { runTools } from './perform-tools.ts'
import { verify } from './verify/verify.ts'
import type { Session } from './session.ts'
import type { World } from './world.ts'

export async function perform(decision: Decision, session: Session, world: World): Promise<void> {
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
      const { callIds, reason } = decision
      await session.tell(
        ...callIds.map((callId) => ({ type: 'tool-refused' as const, callId, by: 'cap' as const, reason })),
      )
      return
    }
    case 'note':
      await session.tell({ type: 'finding-noted', finding: decision.finding })
      return
    case 'continue': {
      const { transition, feedback } = decision
      const { turn } = session.state
      await session.tell({
        type: 'turn-ended',
        turn,
        transition,
        ...(feedback === undefined ? {} : { feedback }),
      })
      return
    }
    case 'stop':
      return stop(decision.transition, session)
    case 'wait':
      throw new TypeError(`the loop met an announced ${decision.on} call that it does not perform itself`)
  }
}

async function stop(transition: StopTransition, session: Session): Promise<void> {
  const { turn, turnOpen } = session.state
  const endsTurn = turnOpen && !turnStaysOpen.includes(transition.reason)
  const stopped = { type: 'run-stopped' as const, transition }
  if (endsTurn) await session.tell({ type: 'turn-ended', turn, transition }, stopped)
  else await session.tell(stopped)
}
