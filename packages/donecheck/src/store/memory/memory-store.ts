import { StoreError } from '../../errors.ts'
import type { HostSession, Store } from '../../ports.ts'
import { closedProblem, type Attempt } from '../attempt.ts'
import type { LeaseRecord } from '../lease-rules.ts'
import { memoryAttachments } from './attachments.ts'
import { memoryEventLog } from './event-log.ts'
import { memoryHostSessions } from './host-sessions.ts'
import { memoryLeases } from './leases.ts'
import { memoryRememberedVerdicts } from './remembered-verdicts.ts'

/** For tests, and for runs that nobody will want to resume: it is gone with the process. */
export function memoryStore(): Store {
  const place = 'in memory'
  let closed = false
  const attempt: Attempt = async (work) => {
    if (closed) throw new StoreError(place, closedProblem)
    return work()
  }
  const leaseRecords = new Map<string, LeaseRecord>()
  const sessions = new Map<string, HostSession>()
  const { sequenceOf, ...log } = memoryEventLog(attempt, (name) => leaseRecords.get(name), sessions)
  return {
    place,
    folder: null,
    ...log,
    ...memoryHostSessions(attempt, sessions, sequenceOf),
    ...memoryLeases(attempt, leaseRecords),
    ...memoryAttachments(attempt),
    ...memoryRememberedVerdicts(attempt),
    close: async () => {
      closed = true
    },
  }
}
