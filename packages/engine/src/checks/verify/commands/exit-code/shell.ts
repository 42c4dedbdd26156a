import type { Reading, Candidate } from './reading.ts'
import { distinct, eitherOf, type Way } from './way.ts'

/** Where in a text we are. */
export interface Place {
  readonly reading: Reading
  readonly text: string
  /** `set -e` is deaf here: in a condition, before `&&` and `||`, behind `!`. */
  readonly isCondition: boolean
  /** What is printed here is judged by somebody else: nothing here is a check. */
  readonly isJudged: boolean
  readonly depth: number
  /** By name and place of their definition; a way knows which of them it has come by. */
  readonly functions: Map<string, (way: Way, place: Place) => readonly Way[]>
  /** A whole text, from its beginning to its end. Undefined: it cannot be read. */
  readonly runText: (text: string, way: Way, place: Place) => readonly Way[] | undefined
}

/** The value under which a way remembers which function a name stands for. */
export function functionKey(name: string): string {
  return `${name}()`
}

type Walk = (way: Way, place: Place) => readonly Way[]

/** What is left of a way when its shell is over, its last words included. */
export function endShell(way: Way, place: Place): readonly Way[] {
  const { exitTrap } = way
  if (exitTrap === undefined) return [{ ...way, leaving: 'nothing' }]
  const before: Way = { ...way, leaving: 'nothing', exitTrap: undefined }
  const after = place.runText(exitTrap, before, place) ?? eitherOf({ ...before, leaving: 'shell' })
  // Only an `exit` of its own gives the shell another end.
  return after.map((last) => ({
    ...last,
    leaving: 'nothing',
    ok: last.leaving === 'shell' ? last.ok : way.ok,
  }))
}

/** Behind the walls of another shell: nothing comes out of it but its end. */
export function inSubshell(way: Way, place: Place, run: Walk): readonly Way[] {
  const inside: Way = { ...way, exitTrap: undefined, leaving: 'nothing' }
  const ends = run(inside, place).flatMap((end) => endShell(end, place))
  return distinct(ends.map(({ ok, isHit }) => ({ ...way, ok, isHit })))
}

/** What happens next on every way that is not being left. */
export function onEach(ways: readonly Way[], next: (way: Way) => readonly Way[]): readonly Way[] {
  return distinct(ways.flatMap((way) => (way.leaving === 'nothing' ? next(way) : [way])))
}

/** Under `set -e` a failure ends the shell, where it is not asked for. */
export function withErrexit(ways: readonly Way[], { isCondition }: Place): readonly Way[] {
  if (isCondition) return ways
  return ways.map((way) =>
    way.leaving === 'nothing' && !way.ok && way.errexit ? { ...way, leaving: 'shell' } : way,
  )
}

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
