/** Ends that are no claim: the model or the network failed, or the session is over. */
import type { NewEvent } from '@donecheck/core/events'
import type { HostAnswer } from '../../protocol/host/index.ts'
import { pass } from './answers.ts'
import { goOn, recordAndGoOn } from './go-on.ts'
import { stopUnverified, type SessionContext } from '../record/session-context.ts'
import { recordHeld, settleOpen, settlePending } from './on-result.ts'

export async function onFailure(message: string, context: SessionContext): Promise<HostAnswer> {
  await settle(context)
  if (context.session.state.phase.kind !== 'calling') return pass
  const failure = { kind: 'server-error' as const, message: message || 'the model failed', retryable: false }
  await recordAndGoOn([{ type: 'model-failed', failure, usage: null, costUsd: null }], context)
  return pass
}

/** What was not verified until now is not. */
export async function onSessionEnd(context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  if (context.memory.waitsFor.length > 0) return onEndOfWaiting(context)
  const ended: NewEvent = { type: 'interrupt-requested', by: 'the end of the session' }
  await session.tell(ended)
  await goOn(context)
  return pass
}

/** Nobody has interrupted it: what it waited for did not come. */
async function onEndOfWaiting(context: SessionContext): Promise<HostAnswer> {
  const awaited = context.memory.waitsFor.join(', ')
  const message = `the session ended while the agent waited for ${awaited}; nothing was verified`
  await stopUnverified(context, { reason: 'blocked', outcome: 'blocked', message })
  return pass
}

async function settle(context: SessionContext): Promise<void> {
  await settlePending(context)
  await settleOpen(context)
  await recordHeld(context)
}
