import type { DetectorName, LoopDetectionSettings } from '../../events/settings/index.ts'
import type { Activity, CallRecord } from '../../state/activity/index.ts'

/** Folded from the events, so that it can be saved. */
export interface SoftView {
  readonly activity: Activity
  readonly settings: LoopDetectionSettings
}

/** `warning`: sent to the agent. `critical`: continuing calls are refused. `fatal`: the run ends. */
export type DetectionLevel = 'warning' | 'critical' | 'fatal'

export interface Detection {
  readonly detector: DetectorName
  readonly level: DetectionLevel
  /** One detector and key are one loop, reported once per level. */
  readonly key: string
  readonly message: string
  /** Sent to the agent: what repeats and what to try instead. */
  readonly advice: string
  readonly numbers: Readonly<Record<string, number>>
  /** Keys of the calls that continue the loop; a tool means all its calls. */
  readonly continuedBy: readonly string[] | { readonly tool: string } | 'any-call'
  readonly basedOn: readonly number[]
}

/** Pure; reads only the kept window, so its cost does not grow with the run. */
export type Detector = (view: SoftView) => Detection | undefined

/** Whether enough calls ran that one may be refused: a shorter run has nothing to lose. */
export function isWarm({ callsInTask }: Activity, { warmUpCalls }: LoopDetectionSettings): boolean {
  return callsInTask >= warmUpCalls
}

/** Oldest first, limited to what a reader needs. */
export function latestSequences(records: readonly { readonly sequence: number }[]): readonly number[] {
  return records.slice(-10).map(({ sequence }) => sequence)
}

interface EqualCallsQuery {
  readonly calls: readonly CallRecord[]
  readonly generation: number
  readonly historySize: number
  readonly atLeast: number
  readonly counts: (record: CallRecord) => boolean
}

/** A loop whose latest call is further back counts as left. */
const latestCalls = 4

/**
 * The call most often made with one outcome among the latest few. Counts answered calls and vetoes, equal
 * ones of one batch once; an unknown outcome neither counts nor resets, another outcome of the same call
 * resets.
 * @returns the equal calls within the history, oldest first
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

/** It waits, or polls after a wait. */
export function isWaiting({ waits, afterWait }: CallRecord): boolean {
  return waits || (afterWait ?? false)
}

/** Made on the current work; a read-only call is the same on any work. */
export function isCurrent({ generation, readOnly }: CallRecord, now: number): boolean {
  return generation === now || (readOnly ?? false)
}

/** It was new, succeeded and did more than look, so earlier attempts may now go differently. */
export function mayHaveChanged({ callStatus, repeat, failure, outcome, looks }: CallRecord): boolean {
  return callStatus === 'ran' && repeat === 0 && failure === null && outcome !== null && looks !== true
}
