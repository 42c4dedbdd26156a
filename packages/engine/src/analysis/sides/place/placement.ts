import { sideOf, sideReasons, type SideReason } from '../reasons.ts'
import type { Placement } from '../request.ts'

/** @param because default: the sentence of the reason, for this file */
export function placementOf(path: string, reason: SideReason, because?: string): Placement {
  return { path, side: sideOf(reason), reason, because: because ?? `${path}: ${sideReasons[reason]}` }
}

/** For a sentence: the first of several files, and how many there are beside it. */
export function describeFiles(paths: Iterable<string>): string {
  const [first = 'nothing', ...others] = [...paths].toSorted()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
