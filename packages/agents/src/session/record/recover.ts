/** A process was killed in the middle of something: what it announced is closed, and what it had not finished is not believed. */
import { UsageError } from '@donecheck/engine/base'
import type { NewEvent } from '@donecheck/core/events'
import { goOn } from '../events/go-on.ts'
import { buildWorld, type SessionContext } from './session-context.ts'

/**
 * @param now `claimed`: the agent claims again, so the checks are asked anew. Otherwise it is at work: what the checks would
 *   have said of a tree that is no more cannot be found out, and the run ends as interrupted.
 */
export async function recover(
  context: SessionContext,
  now: 'claimed' | 'at-work' = 'at-work',
): Promise<void> {
  const { session, parts } = context
  const { world, engine } = await buildWorld(context)
  const waking = {
    holder: `${parts.agent} ${parts.sessionId}`,
    drive: session.state.drive,
    runs: parts.store,
  }
  await engine.wake(session, waking, world.prompts)
  if (now === 'claimed') {
    const { phase, tally } = session.state
    if (phase.kind !== 'judging' || !tally.claimed) await goOn(context)
    return
  }
  if (session.state.phase.kind === 'starting') {
    await goOn(context)
    return
  }
  const broken: NewEvent = { type: 'interrupt-requested', by: 'the end of the process that was checking' }
  await session.tell(broken)
  const decision = session.decide()
  if (decision.kind !== 'stop') throw new UsageError(`an interrupted run goes on with ${decision.kind}`)
  await engine.perform(decision, session, world)
}
