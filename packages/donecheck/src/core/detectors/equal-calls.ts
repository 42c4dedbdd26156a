/** Equal calls without progress between them, adjacent or not: what `generic_repeat` and `known_poll_no_progress` count. */
import type { CallRecord } from '../../events/index.ts'

export interface EqualCallsQuery {
  readonly calls: readonly CallRecord[]
  /** Of the work as it is now. */
  readonly epoch: number
  /** How far back is looked. */
  readonly historyCalls: number
  /** Fewer are of no interest. */
  readonly atLeast: number
  /** Whether such a call is counted by who asks. */
  readonly counts: (record: CallRecord) => boolean
}

/** A loop whose latest call lies further back has been left, or is let go on once before it is seen again. */
const latestCalls = 4

/**
 * Of the latest few calls the one that was made most often with one outcome. What is counted: answered calls and vetoes of them, the latest
 * included, equal ones of one batch once; a call whose outcome is unknown neither counts nor ends the count, another
 * outcome of the same call ends it.
 * @returns the equal calls, oldest first, as far as they lie within the history
 */
export function mostRepeated(query: EqualCallsQuery): readonly CallRecord[] | undefined {
  const { calls, historyCalls, atLeast } = query
  const start = Math.max(0, calls.length - historyCalls)
  let [newest, at] = [undefined as CallRecord | undefined, -1]
  for (let index = calls.length - 1; index >= Math.max(start, calls.length - latestCalls); index -= 1) {
    const record = calls[index]
    if (record === undefined || record.lap + 1 < atLeast || record.lap <= (newest?.lap ?? 0)) continue
    if (isCurrent(record, query.epoch) && query.counts(record)) [newest, at] = [record, index]
  }
  return newest === undefined ? undefined : equalTo(newest, calls.slice(start, at + 1))
}

function equalTo(newest: CallRecord, calls: readonly CallRecord[]): readonly CallRecord[] {
  const equal: CallRecord[] = []
  for (const record of calls) {
    if (record.call !== newest.call || record.outcome === null) continue
    if (record.outcome !== newest.outcome) equal.length = 0
    else if (isCurrent(record, newest.epoch) && record.lap !== equal.at(-1)?.lap) equal.push(record)
  }
  return equal
}

/** It waits, or asks how something stands after somebody waited. */
export function isWaiting({ waits, afterWait }: CallRecord): boolean {
  return waits || (afterWait ?? false)
}

/** It was made on the work as it is now; what only reads is the same call on any work. */
function isCurrent({ epoch, readOnly }: CallRecord, now: number): boolean {
  return epoch === now || (readOnly ?? false)
}
