/** Ends that are no claim: the model or the network failed, or the session is over. */
import type { HostAnswer } from '../agents/index.ts'
import type { StopTransition, Told } from '../events/index.ts'
import { pass } from './answers.ts'
import { goOn, tellAndGoOn } from './go-on.ts'
import { worldOf } from './world-of.ts'
import { flush, settleOpen, settlePending } from './on-result.ts'
import type { Place } from './place.ts'

export async function onFailure(message: string, place: Place): Promise<HostAnswer> {
  await settle(place)
  if (place.session.state.phase.kind !== 'calling') return pass
  const failure = { kind: 'server-error' as const, message: message || 'the model failed', retryable: false }
  await tellAndGoOn([{ type: 'model-failed', failure, usage: null, costUsd: null }], place)
  return pass
}

/** What was not verified until now is not. */
export async function onSessionEnd(place: Place): Promise<HostAnswer> {
  const { session } = place
  if (session.state.phase.kind === 'stopped') return pass
  if (place.memory.waitsFor.length > 0) return onEndOfWaiting(place)
  const ended: Told = { type: 'interrupt-requested', by: 'the end of the session' }
  await session.tell(ended)
  await goOn(place)
  return pass
}

/** Nobody has interrupted it: what it waited for did not come. */
async function onEndOfWaiting(place: Place): Promise<HostAnswer> {
  const { session, memory } = place
  const transition: StopTransition = {
    kind: 'stop',
    reason: 'blocked',
    outcome: 'blocked',
    message: `the session ended while the agent waited for ${memory.waitsFor.join(', ')}; nothing was verified`,
    findings: [],
    verdicts: [],
  }
  const { world, engine } = await worldOf(place)
  await engine.perform({ kind: 'stop', transition }, session, world)
  return pass
}

async function settle(place: Place): Promise<void> {
  await settlePending(place)
  await settleOpen(place)
  await flush(place)
}
