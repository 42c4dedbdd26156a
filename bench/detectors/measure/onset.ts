/**
 * When a loop begins, by a definition that no detector under comparison uses as it stands.
 *
 * A call brings something new where its (tool, arguments, result) was not seen before in this run; a result that is not known
 * counts as new. A *stretch* is a maximal row of consecutive calls that bring nothing new; its first call is the *onset* of the
 * loop. A loop with changing arguments or results is no stretch: alarms there have no delay.
 */
import type { CallStep } from '../detector.ts'

/** For each call the index of the onset of the stretch it stands in; undefined: the call brought something new. */
export function onsetsOf(calls: readonly CallStep[]): readonly (number | undefined)[] {
  const seen = new Set<string>()
  let onset: number | undefined
  return calls.map((call, position) => {
    const pair = pairOf(call)
    const isNew = pair === undefined || !seen.has(pair)
    if (pair !== undefined) seen.add(pair)
    onset = isNew ? undefined : (onset ?? position)
    return onset
  })
}

function pairOf({ tool, argsDigest, resultDigest }: CallStep): string | undefined {
  return resultDigest === null ? undefined : JSON.stringify([tool, argsDigest, resultDigest])
}
