/** What a detector says, before anybody decides what is done about it. */
import type { DetectorName, LoopDetectionSettings } from '../../events/settings/index.ts'
import type { Activity, CallRecord } from '../../state/activity/index.ts'

/** All that a detector may look at: saveable, because it is folded from the events. */
export interface SoftView {
  readonly activity: Activity
  readonly settings: LoopDetectionSettings
}

/**
 * `warning`: the drive is told. `critical`: what goes on with the loop is refused, and the run ends when that does not help.
 * `hopeless`: the run ends; there is nothing to refuse, or refusing has no sense any more.
 */
export type DetectionLevel = 'warning' | 'critical' | 'hopeless'

export interface Detection {
  readonly detector: DetectorName
  readonly level: DetectionLevel
  /** Detections of one detector and key are one loop; it is reported once per level. */
  readonly key: string
  /** One sentence for a person. */
  readonly message: string
  /** For the drive: what repeats, and what to try instead. */
  readonly advice: string
  readonly numbers: Readonly<Record<string, number>>
  /** Calls (by their keys) that would go on with the loop; a tool: every call of it; `any-call`: whatever is called. */
  readonly continuedBy: readonly string[] | { readonly tool: string } | 'any-call'
  /** Sequence numbers of the answers that it rests on. */
  readonly restsOn: readonly number[]
}

/** Pure; reads no more than the window that is kept, so its cost is bounded however long the run is. */
export type Detector = (view: SoftView) => Detection | undefined

/** So many calls have run that one may be refused: a shorter run has nothing to lose. */
export function isWarm({ callsInTask }: Activity, { warmUpCalls }: LoopDetectionSettings): boolean {
  return callsInTask >= warmUpCalls
}

/** The sequence numbers of the latest of these records, oldest first, not more than a reader wants. */
export function latestSequences(records: readonly { readonly sequence: number }[]): readonly number[] {
  return records.slice(-10).map(({ sequence }) => sequence)
}

interface EqualCallsQuery {
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
