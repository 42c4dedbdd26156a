/** Equal calls without progress between them, adjacent or not: what `generic_repeat` and `known_poll_no_progress` count. */
import type { CallRecord } from '../../state/activity/index.ts'

export interface EqualCallsQuery {
  readonly calls: readonly CallRecord[]
  /** Of the work as it is now. */
  readonly generation: number
  /** How far back is looked. */
  readonly historySize: number
  /** Fewer are of no interest. */
  readonly atLeast: number
  /** Whether such a call is counted by who asks. */
  readonly counts: (record: CallRecord) => boolean
}

/** A loop whose latest call lies further back has been left, or is let pass once before it is seen again. */
const latestCalls = 4

/**
 * Of the latest few calls the one that was made most often with one outcome. What is counted: answered calls and vetoes of them, the latest
 * included, equal ones of one batch once; a call whose outcome is unknown neither counts nor ends the count, another
 * outcome of the same call ends it.
 * @returns the equal calls, oldest first, as far as they lie within the history
 */
export function mostRepeated(query: EqualCallsQuery): readonly CallRecord[] | undefined {
  const { calls, historySize, atLeast } = query
  const start = Math.max(0, calls.length - historySize)
  let [newest, at] = [undefined as CallRecord | undefined, -1]
  for (let index = calls.length - 1; index >= Math.max(start, calls.length - latestCalls); index -= 1) {
    const record = calls[index]
    if (record === undefined || record.repeat + 1 < atLeast || record.repeat <= (newest?.repeat ?? 0))
      continue
    if (isCurrent(record, query.generation) && query.counts(record)) [newest, at] = [record, index]
  }
  return newest === undefined ? undefined : equalTo(newest, calls.slice(start, at + 1))
}

function equalTo(newest: CallRecord, calls: readonly CallRecord[]): readonly CallRecord[] {
  const equal: CallRecord[] = []
  for (const record of calls) {
    if (record.call !== newest.call || record.outcome === null) continue
    if (record.outcome !== newest.outcome) equal.length = 0
    else if (isCurrent(record, newest.generation) && record.repeat !== equal.at(-1)?.repeat)
      equal.push(record)
  }
  return equal
}

/** It waits, or asks how something stands after somebody waited. */
export function isWaiting({ waits, afterWait }: CallRecord): boolean {
  return waits || (afterWait ?? false)
}

/** It was made on the work as it is now; what only reads is the same call on any work. */
export function isCurrent({ generation, readOnly }: CallRecord, now: number): boolean {
  return generation === now || (readOnly ?? false)
}

/** It was new, succeeded, and did not only look: what was tried before may go another way now, though the tree is as it was. */
export function mayHaveChanged({ callStatus, repeat, failure, outcome, looks }: CallRecord): boolean {
  return callStatus === 'ran' && repeat === 0 && failure === null && outcome !== null && looks !== true
}
