import type { Decision } from '@donecheck/core/decide'
import type { NewEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import { given } from '../../../base/index.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { World } from '../session/world.ts'

type SettleReply = Extract<Decision, { kind: 'settle-reply' }>

/** Whoever takes no reply in so long may have taken it. */
const maxDeliveryMs = 600_000

/** Records what becomes of the reply, then hands it on: once in a run, whatever happens to this process (I4). */
export async function settleReply({ settled }: SettleReply, session: Session, world: World): Promise<void> {
  const [event] = await session.tell({ type: 'reply-settled', ...settled })
  if (!settled.delivers) return
  const delivered = await deliver(session, world)
  await session.tell({ ...delivered, ...given({ causeId: event?.id }) })
}

type Delivered = Extract<NewEvent, { type: 'reply-delivered' }>

async function deliver(session: Session, { replies, signal }: World): Promise<Delivered> {
  const handOn = replies?.deliver
  const reply = session.state.replyCheck?.settled
  if (handOn === undefined || reply === undefined) return failed('nobody is here who takes replies')
  const { text, ending, attempt, message } = reply
  const isVerified = ending === 'passed' && session.state.settings.replyCheck?.verifies === true
  const handed = { runId: session.runId, text, ending, attempt, message, isVerified }
  const settled = await settleWithin(async () => handOn(handed, signal), { signal, maxMs: maxDeliveryMs })
  if (settled.kind === 'threw') return failed(settled.message)
  return settled.kind === 'answered'
    ? { type: 'reply-delivered', status: 'delivered' }
    : unknownDelivery('whoever takes replies did not answer')
}

function failed(problem: string): Delivered {
  return { type: 'reply-delivered', status: 'failed', problem }
}

function unknownDelivery(problem: string): Delivered {
  return { type: 'reply-delivered', status: 'unknown', problem }
}

/** The process died between the announcement of a delivery and its end: it may have arrived, so it is not made again. */
export function findBrokenOffDelivery({ replyCheck }: RunState): Delivered | undefined {
  const settled = replyCheck?.settled
  return settled?.delivers === true && settled.delivery === undefined
    ? unknownDelivery('the process ended while the reply was delivered; it is not delivered again')
    : undefined
}
