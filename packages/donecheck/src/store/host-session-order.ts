import type { HostSession } from '../ports.ts'

/** Sessions of one moment by their keys. */
export function latestSessionFirst(one: HostSession, other: HostSession): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.key < other.key ? -1 : 1
}
