import type { LoopDetectionSettings } from '../../events/settings/index.ts'
import type { Activity, CallRecord } from '../../state/activity/index.ts'
import { isWaiting, mostRepeated } from './equal-calls.ts'
import { isWarm, latestSequences, type Detector, type Detection } from './detection.ts'

/**
 * One call with one outcome, or with outcomes that say nearly the same, over and over. Told after `warningThreshold` of them within the
 * last `historySize`; after `criticalThreshold` the next one is refused. Calls between them hide nothing, but it is not told while a new one
 * stands in every gap; progress and another outcome of the same call begin the count anew. With `repeatCounts: 'same-call'` equal calls count whatever came of them, as in
 * OpenClaw: told and refused at the same numbers. Calls that wait, and those right after one, are left to `known_poll_no_progress`.
 */
export const genericRepeat: Detector = ({ activity, settings }) => {
  const { calls, generation } = activity
  const { historySize, warningThreshold, criticalThreshold } = settings
  const equal = mostRepeated({
    calls,
    generation,
    historySize,
    atLeast: warningThreshold,
    counts: (record) => !isWaiting(record),
  })
  const newest = equal?.at(-1)
  if (equal === undefined || newest === undefined || equal.length < warningThreshold)
    return nearlyEqual(activity, settings) ?? calledOften(activity, settings)
  const count = equal.length
  const isCritical = count >= criticalThreshold && isWarm(activity, settings)
  if (!isCritical && isSprinkled(equal, calls)) return calledOften(activity, settings)
  return {
    detector: 'generic_repeat',
    level: isCritical ? 'critical' : 'warning',
    key: `${newest.call} ${newest.outcome ?? ''}`,
    message: `${newest.tool} gave the same result ${count} times`,
    advice: `You have made the same call of ${newest.tool} ${count} times, and it gave the same result every time. It will not give another one now. Use the result, change the work, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: [newest.call],
    restsOn: latestSequences(equal),
  }
}

/** As many other calls brought something new between the equal ones: a drive that looks where it is before it goes on. */
function isSprinkled(equal: readonly CallRecord[], calls: readonly CallRecord[]): boolean {
  const [oldest] = equal
  if (oldest === undefined) return false
  const isNews = ({ sequence, call, repeat, failure }: CallRecord) =>
    sequence > oldest.sequence && call !== oldest.call && repeat === 0 && failure === null
  return calls.filter(isNews).length >= equal.length - 1
}

/** The results of the latest call differ in a number or a line of many, and in nothing else. */
function nearlyEqual(activity: Activity, settings: LoopDetectionSettings): Detection | undefined {
  const { calls, generation } = activity
  const newest = calls.at(-1)
  if (newest?.generation !== generation || isWaiting(newest) || newest.alike + 1 < settings.warningThreshold)
    return undefined
  // Results that do not differ at all are counted above, as far as the history goes.
  if (newest.alike === newest.repeat) return undefined
  const { historySize, warningThreshold, criticalThreshold } = settings
  const recent = calls.slice(-historySize).filter(({ call }) => call === newest.call)
  const equal = recent.slice(-newest.alike - 1)
  const count = equal.length
  const isCritical = count >= criticalThreshold && isWarm(activity, settings)
  if (count < warningThreshold || (!isCritical && isSprinkled(equal, calls))) return undefined
  return {
    detector: 'generic_repeat',
    level: isCritical ? 'critical' : 'warning',
    key: `${newest.call} nearly`,
    message: `${newest.tool} gave nearly the same result ${count} times`,
    advice: `You have made the same call of ${newest.tool} ${count} times, and its results hardly differ. Use what they have in common, change the work, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: [newest.call],
    restsOn: latestSequences(equal),
  }
}

/** The latest call was made so often, whatever it gave. */
function calledOften(activity: Activity, settings: LoopDetectionSettings): Detection | undefined {
  const { calls } = activity
  const { repeatCounts, historySize, warningThreshold, criticalThreshold } = settings
  const newest = calls.at(-1)
  if (repeatCounts !== 'same-call' || newest === undefined || isWaiting(newest)) return undefined
  const equal = calls
    .slice(-historySize)
    .filter(({ call, callStatus }) => call === newest.call && callStatus !== 'vetoed')
  const count = equal.length
  if (count < warningThreshold) return undefined
  return {
    detector: 'generic_repeat',
    level: count >= criticalThreshold && isWarm(activity, settings) ? 'critical' : 'warning',
    key: newest.call,
    message: `${newest.tool} was called ${count} times with the same arguments`,
    advice: `You have made the same call of ${newest.tool} ${count} times. If it does not get you on, take another way, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: [newest.call],
    restsOn: latestSequences(equal),
  }
}
