import type { HostSessionEntry } from '../../ports/store.ts'

/** Sessions of one moment by their keys. */
export function latestSessionFirst(one: HostSessionEntry, other: HostSessionEntry): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.key < other.key ? -1 : 1
}
