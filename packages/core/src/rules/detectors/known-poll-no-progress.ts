import type { LoopDetectionSettings } from '../../events/settings/index.ts'
import type { CallRecord } from '../../state/activity/index.ts'
import { isWaiting, mostRepeated } from './equal-calls.ts'
import { isWarm, latestSequences, type Detector } from './detection.ts'

/** Who lets time pass between two questions may ask so many times as often. */
const patienceOfPauses = 2.5

/**
 * A call that waits or asks how something stands, or any call right after one that waits, and the answer stays. Told
 * after `warningThreshold` equal answers in a row; after `criticalThreshold` the next one is refused. Where the questions have
 * pauses between them, or pause by themselves such as `sleep 30`, the next one is refused after two and a half times as many, and told as
 * long before that: a quiet job is not a loop. An answer that changes is progress of what is waited for, and begins the
 * count anew.
 */
export const knownPollNoProgress: Detector = ({ activity, settings }) => {
  const { calls, generation } = activity
  const equal = mostRepeated({
    calls,
    generation,
    // Pauses and other calls may stand between the questions: all that is kept is looked at.
    historySize: calls.length,
    atLeast: settings.warningThreshold,
    counts: isWaiting,
  })
  const [oldest, newest] = [equal?.[0], equal?.at(-1)]
  if (equal === undefined || oldest === undefined || newest === undefined) return undefined
  const count = newest.repeat - oldest.repeat + 1 + olderThanKept(oldest, calls)
  const { warning, critical } = limitsOf(settings, hasPauses(calls, oldest, newest))
  if (count < warning) return undefined
  const isStill = (record: CallRecord) => isWaiting(record) && record.repeat + 1 >= warning
  const isCritical = count >= critical && isWarm(activity, settings)
  return {
    detector: 'known_poll_no_progress',
    level: isCritical ? 'critical' : 'warning',
    key: `${newest.call} ${newest.outcome ?? ''}`,
    message: `${newest.tool} was asked ${count} times, and the answer stayed`,
    advice: `You have asked ${newest.tool} ${count} times, and the answer has not changed. Wait longer before you ask again, do something else meanwhile, find out whether it still runs, or say that it does not go on.`,
    numbers: { calls: count },
    // Of a pause and a question in turn both go on with it: refusing only the latest would refuse neither.
    continuedBy: [
      ...new Set(
        calls
          .slice(-2)
          .filter(isStill)
          .concat(newest)
          .map(({ call }) => call),
      ),
    ],
    restsOn: latestSequences(equal),
  }
}

function limitsOf({ warningThreshold, criticalThreshold }: LoopDetectionSettings, isPatient: boolean) {
  const critical = isPatient ? Math.ceil(criticalThreshold * patienceOfPauses) : criticalThreshold
  return { warning: critical - criticalThreshold + warningThreshold, critical }
}

/** Equal answers before the oldest that is kept: its repeat count holds them, unless the answer was another one since. */
function olderThanKept(oldest: CallRecord, calls: readonly CallRecord[]): number {
  const before = calls.slice(0, calls.indexOf(oldest))
  const changed = before.some(
    ({ call, outcome }) => call === oldest.call && outcome !== null && outcome !== oldest.outcome,
  )
  return changed ? 0 : oldest.repeat
}

function hasPauses(calls: readonly CallRecord[], oldest: CallRecord, newest: CallRecord): boolean {
  if (newest.pauses) return true
  const span = calls.slice(calls.indexOf(oldest), calls.indexOf(newest) + 1)
  const pauses = span.filter((record) => record.pauses && record.call !== newest.call).length
  const polls = span.filter(({ call }) => call === newest.call).length
  // At least every second question had one before it, as far as can be seen between the first and the last.
  return pauses > 0 && pauses * 2 >= polls - 2
}
