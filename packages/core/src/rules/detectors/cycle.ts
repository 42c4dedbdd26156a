import type { CallRecord } from '../../state/activity/index.ts'
import {
  isCurrent,
  isWaiting,
  isWarm,
  latestSequences,
  type Detector,
  type Detection,
  type SoftView,
} from './detection.ts'

/** Of the last `window` calls, how many must be repeats, and second repeats. */
const density = { window: 9, repeated: 6, repeatedTwice: 3 }
/** The latest calls without anything new, and how many must be second repeats. */
const stretch = { calls: 3, repeatedTwice: 1 }
/** A call that recurs this often counts as consecutive if at most `newAtMost` of the window is new. */
const recurrence = { window: 12, newAtMost: 4 }

/**
 * The same calls with the same results, with any period up to the kept window. Order does not matter, so a
 * re-ordered batch or an occasional new call hides nothing. Each call carries its repeat count
 * (`CallRecord.repeat`), so the cost is independent of the period.
 */
export const cycle: Detector = (view) => {
  const { calls, generation } = view.activity
  const newest = calls.at(-1)
  if (newest === undefined || newest.repeat === 0 || isWaiting(newest)) return undefined
  if (!isCurrent(newest, generation)) return undefined
  const inARow = sameInARow(calls, newest)
  const why = whyCritical(calls, newest, inARow, view)
  if (why !== undefined && isWarm(view.activity, view.settings)) return detection('critical', why, calls)
  const hint = why ?? whyWarning(calls, newest, inARow, view)
  return hint === undefined ? undefined : detection('warning', hint, calls)
}

interface Why {
  readonly words: string
  readonly count: number
  readonly newest: CallRecord
}

function whyCritical(
  calls: readonly CallRecord[],
  newest: CallRecord,
  inARow: number,
  { settings }: SoftView,
): Why | undefined {
  if (inARow >= settings.cycleRepeats) return rowOf(inARow, newest)
  const fresh = calls.findLastIndex(({ repeat }) => repeat === 0)
  const stale = calls.slice(fresh + 1)
  if (stale.length >= stretch.calls && isVaried(stale) && repeats(stale, 2) >= stretch.repeatedTwice)
    return { words: `nothing new in ${stale.length} calls`, count: stale.length, newest }
  const latest = calls.slice(-density.window)
  const repeated = repeats(latest, 1)
  if (repeated >= density.repeated && isVaried(latest) && repeats(latest, 2) >= density.repeatedTwice)
    return shareOf(repeated, latest, newest)
  const recent = calls.slice(-recurrence.window)
  const again = recent.filter((record) => isSame(record, newest) && record.generation === newest.generation)
  const times = new Set(again.map(({ turn }) => turn)).size
  const news = recent.filter(({ repeat, failure }) => repeat === 0 && failure === null).length
  // A ratio, because the history may be shorter than the window.
  return times >= settings.cycleRepeats && news * recurrence.window <= recurrence.newAtMost * recent.length
    ? { words: `${times} times in ${recent.length} calls`, count: times, newest }
    : undefined
}

function whyWarning(
  calls: readonly CallRecord[],
  newest: CallRecord,
  inARow: number,
  { settings }: SoftView,
): Why | undefined {
  // Repeating a success three times, such as a passing suite, is care: it is reported with the next refusal.
  if (newest.failure !== null && inARow >= Math.max(2, settings.cycleRepeats - 1))
    return rowOf(inARow, newest)
  const latest = calls.slice(-density.window)
  const repeated = repeats(latest, 1)
  return repeated >= density.repeated && repeats(latest, 2) >= 1
    ? shareOf(repeated, latest, newest)
    : undefined
}

function rowOf(count: number, newest: CallRecord): Why {
  return { words: `${count} times in a row`, count, newest }
}

function shareOf(count: number, latest: readonly CallRecord[], newest: CallRecord): Why {
  return { words: `${count} of the last ${latest.length} calls were made before`, count, newest }
}

function sameInARow(calls: readonly CallRecord[], newest: CallRecord): number {
  const other = calls.findLastIndex(
    (record) => !(isSame(record, newest) && record.generation === newest.generation && !isWaiting(record)),
  )
  return new Set(calls.slice(other + 1).map(({ turn }) => turn)).size
}

/** Repeats of one single call are counted by `cycleRepeats`. */
function isVaried(calls: readonly CallRecord[]): boolean {
  const repeated = calls.filter(({ repeat }) => repeat > 0)
  return repeated.some(({ call }) => call !== repeated[0]?.call)
}

function isSame(record: CallRecord, newest: CallRecord): boolean {
  return record.call === newest.call && record.outcome === newest.outcome
}

function repeats(calls: readonly CallRecord[], atLeast: number): number {
  return calls.filter((record) => record.repeat >= atLeast && !isWaiting(record)).length
}

function detection(
  level: Detection['level'],
  { words, count, newest }: Why,
  calls: readonly CallRecord[],
): Detection {
  // Everything repeated on this work, because the next call of a long round is a full round back.
  const stale = calls.filter(({ repeat, generation }) => repeat > 0 && generation === newest.generation)
  return {
    detector: 'cycle',
    level,
    // One loop per unchanged tree, whatever its period.
    key: `epoch ${newest.generation}`,
    message: `${newest.tool} and what it gave repeat: ${words}`,
    advice: `You repeat calls that have already given the same results (${words}, ${newest.tool} last). They will not give anything else now. Use what you know: change the work, look somewhere else, or say what is missing.`,
    numbers: { calls: count, repeat: newest.repeat + 1 },
    continuedBy: [...new Set(stale.map(({ call }) => call))],
    basedOn: latestSequences(stale),
  }
}
