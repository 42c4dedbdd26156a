/** Ends of turns that are no claim, because the agent waits. Poking it would not help; but nobody waits for ever. */
import type { HostAnswer, HostStop } from '../agents/index.ts'
import { pass } from './answers.ts'
import type { HostSession } from '../ports.ts'
import { snapshotOf } from './snapshot.ts'
import { remember, type Place } from './place.ts'
import type { Standing } from './standing.ts'

/** In a row, without a prompt in between: then the end of a turn is a claim like any other, whatever it says. */
const mostWaits = 3

const answer = 'the answer of its user'

/** Undefined: it does not wait, or has no reason to: its turn ends with a claim. */
export async function waits(
  stop: HostStop,
  standing: Standing,
  signal: AbortSignal,
): Promise<HostAnswer | undefined> {
  if (stop.waitingFor.length === 0 && stop.asksUser !== true) return undefined
  const found: { answer?: HostAnswer } = {}
  const work = async (place: Place): Promise<HostAnswer> => {
    if (!noted(stop, place)) return pass
    found.answer = stop.waitingFor.length === 0 ? pass : { kind: 'pass', notice: noticeOf(stop) }
    return pass
  }
  await standing.within(signal, work, pass)
  return found.answer
}

/** A server that runs on is not waited for: only what was not there when the turn before ended. @returns it may wait */
function noted({ waitingFor, asksUser }: HostStop, place: Place): boolean {
  const { memory } = place
  const isNew = waitingFor.some((name) => !memory.background.includes(name))
  const mayWait = (asksUser === true || isNew) && memory.waits < mostWaits
  const names = asksUser === true ? [...waitingFor, answer] : waitingFor
  remember(place, { waits: memory.waits + 1, waitsFor: mayWait ? names : [], background: waitingFor })
  return mayWait
}

function noticeOf({ waitingFor }: HostStop): string {
  return `donecheck: nothing was checked, because the agent waits for ${waitingFor.join(', ')}`
}

/** What the agent of a session waits for, in words; empty: it does not. */
export function waitsIn({ snapshot }: Pick<HostSession, 'snapshot'>): readonly string[] {
  return snapshotOf(snapshot)?.memory.waitsFor ?? []
}
