/** The record of a project that has had one: that it is empty now means that it was taken away. */
import { StoreError } from '../../errors.ts'
import type { HostSessions, Store } from '../../ports.ts'
import { changedAtMs, hasKnownRecord, noteKnownRecord } from '../../ride/index.ts'
import type { HookRequest } from './request.ts'

/** When a person last said what is to be checked here. */
export function agreedAtMsOf({ rideFile }: HookRequest): number {
  return changedAtMs(rideFile) ?? 0
}

/** @throws {StoreError} where sessions were on record, and none is any more */
export async function assertRecordStands(
  request: HookRequest,
  store: HostSessions & Pick<Store, 'place'>,
): Promise<void> {
  if (!hasKnownRecord(request, agreedAtMsOf(request))) return
  const { call, sessionId } = request
  if ((await store.hostSession(`${call.protocol.agent}/${sessionId}`)) !== undefined) return
  if ((await store.hostSessions()).length > 0) return
  throw new StoreError(
    store.place,
    'it held sessions of agents, and is empty now: what was to be compared with is gone; whoever took it away on purpose installs the hooks anew, with the checks named',
  )
}

export function noteRecord(request: HookRequest): void {
  noteKnownRecord(request, agreedAtMsOf(request))
}
