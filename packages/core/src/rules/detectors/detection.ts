/** What a detector says, before anybody decides what is done about it. */
import type { DetectorName, LoopDetectionSettings } from '../../events/settings/index.ts'
import type { Activity } from '../../state/activity/index.ts'

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
