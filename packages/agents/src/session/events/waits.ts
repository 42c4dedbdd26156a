/** Ends of turns that are no claim, because the agent waits. Poking it would not help; but nobody waits for ever. */
import type { HostAnswer, HostStop } from '../../protocol/host/index.ts'
import { pass } from './answers.ts'
import type { HostSession } from '@donecheck/engine/ports/store'
import { snapshotOf } from '../record/snapshot.ts'
import { remember, type SessionContext } from '../record/session-context.ts'
import type { SessionRecord } from '../record/session-record.ts'

/** In a row, without a prompt in between: then the end of a turn is a claim like any other, whatever it says. */
const maxWaits = 3

const answer = 'the answer of its user'

/** Undefined: it does not wait, or has no reason to: its turn ends with a claim. */
export async function answerWait(
  stop: HostStop,
  record: SessionRecord,
  signal: AbortSignal,
): Promise<HostAnswer | undefined> {
  if (stop.waitingFor.length === 0 && stop.asksUser !== true) return undefined
  const found: { answer?: HostAnswer } = {}
  const work = async (context: SessionContext): Promise<HostAnswer> => {
    if (!noteWait(stop, context)) return pass
    found.answer = stop.waitingFor.length === 0 ? pass : { kind: 'pass', notice: noticeOf(stop) }
    return pass
  }
  await record.withoutLease(signal, work)
  return found.answer
}

/** A server that runs on is not waited for: only what was not there when the turn before ended. @returns it may wait */
function noteWait({ waitingFor, asksUser }: HostStop, context: SessionContext): boolean {
  const { memory } = context
  const isNew = waitingFor.some((name) => !memory.background.includes(name))
  const mayWait = (asksUser === true || isNew) && memory.waits < maxWaits
  const names = asksUser === true ? [...waitingFor, answer] : waitingFor
  remember(context, { waits: memory.waits + 1, waitsFor: mayWait ? names : [], background: waitingFor })
  return mayWait
}

function noticeOf({ waitingFor }: HostStop): string {
  return `donecheck: nothing was checked, because the agent waits for ${waitingFor.join(', ')}`
}

/** What the agent of a session waits for, in words; empty: it does not. */
export function waitsOf({ snapshot }: Pick<HostSession, 'snapshot'>): readonly string[] {
  return snapshotOf(snapshot)?.memory.waitsFor ?? []
}
