import type { Candidate } from './reading.ts'
import type { Place } from './shell.ts'
import { distinct, type Way } from './way.ts'

export function addCandidate(candidate: Candidate, { isJudged, reading }: Place): void {
  if (!isJudged) reading.candidates.set(candidate.node, candidate)
}

/** Marks the ways on which the watched command has ended as it is watched for. */
export function hit(
  ways: readonly Way[],
  node: object,
  { isJudged, reading: { watch } }: Place,
): readonly Way[] {
  if (watch?.node !== node || isJudged) return ways
  return distinct(ways.map((way) => (way.ok === (watch.end === 'success') ? { ...way, isHit: true } : way)))
}
