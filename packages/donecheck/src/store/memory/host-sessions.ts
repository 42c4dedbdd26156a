import type { HostSession, HostSessions } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'
import { latestSessionFirst } from '../host-session-order.ts'

/** @param sessions by key; the event log writes there too, together with its events */
export function memoryHostSessions(
  attempt: Attempt,
  sessions: Map<string, HostSession>,
  sequenceOf: (runId: string) => number,
): HostSessions {
  return {
    hostSession: (key) =>
      attempt(() => {
        const session = sessions.get(key)
        return session === undefined ? undefined : { ...session, latestSequence: sequenceOf(session.runId) }
      }),
    hostSessions: () =>
      attempt(() =>
        [...sessions.values()]
          .map(({ key, runId, sequence, updatedAtMs }) => ({ key, runId, sequence, updatedAtMs }))
          .sort(latestSessionFirst),
      ),
    keepHostSession: (session) =>
      attempt(() => {
        if (sequenceOf(session.runId) !== session.sequence) return false
        sessions.set(session.key, { ...session })
        return true
      }),
  }
}
