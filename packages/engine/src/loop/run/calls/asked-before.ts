/** A run that was suspended at a question comes to the same call once more: what its record says of it is not said again. */
import { canonicalJson } from '@donecheck/core/base'
import { maskFact, type NewEvent, type RunEvent } from '@donecheck/core/events'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

type Recorded = Pick<World, 'history' | 'suspend'>

/** It stands in the record that somebody is asked about this call, without an answer, and the run did not wait for it. */
export function isAskedAlready(callId: string, world: Recorded): boolean {
  return sinceAsked(callId, world).length > 0
}

/** Records what of these facts about a call is news, or is not as it was when it was asked about. */
export async function tellNews(
  callId: string,
  facts: readonly NewEvent[],
  session: Session,
  world: Recorded,
): Promise<void> {
  const known = sinceAsked(callId, world)
  const isKnown = (fact: NewEvent) => known.some((event) => saysTheSame(event, fact))
  const news = facts.filter((fact) => !isKnown(maskFact(fact, session.secrets)))
  if (news.length > 0) await session.tell(...news)
}

/** Events of the call, up to its question; empty where it waits for none. All of them are later than the reply that holds the call. */
function sinceAsked(callId: string, { history, suspend }: Recorded): readonly RunEvent[] {
  if (suspend === undefined) return []
  const past = history()
  const ofTurn = past.slice(1 + past.findLastIndex(({ type }) => type === 'model-replied'))
  const events = ofTurn.filter((event) => 'callId' in event && event.callId === callId)
  const open = events.slice(1 + events.findLastIndex(({ type }) => type === 'approval-given'))
  return open.some(({ type }) => type === 'approval-requested') ? open : []
}

/** In all but the time that it took. */
function saysTheSame(event: RunEvent, fact: NewEvent): boolean {
  const known = new Map(Object.entries(event))
  const said = Object.entries(fact).filter(([name]) => name !== 'durationMs')
  return said.every(([name, value]) => canonicalJson(known.get(name)) === canonicalJson(value))
}
