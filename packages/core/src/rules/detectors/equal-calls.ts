/** The four detectors of equal calls that the field knows: generic_repeat, known_poll_no_progress, ping_pong, global_circuit_breaker. */
import type { LoopDetectionSettings } from '../../events/settings/index.ts'
import type { Activity, CallRecord } from '../../state/activity/index.ts'
import {
  isWaiting,
  mostRepeated,
  isWarm,
  latestSequences,
  type Detector,
  type Detection,
} from './detection.ts'

/**
 * One call with one outcome, or with outcomes that say nearly the same, over and over. Told after `warningThreshold` of them within the
 * last `historySize`; after `criticalThreshold` the next one is refused. Calls between them hide nothing, but it is not told while a new one
 * stands in every gap; progress and another outcome of the same call begin the count anew.  Calls that wait, and those right after one, are left to `known_poll_no_progress`.
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
    return nearlyEqual(activity, settings)
  const count = equal.length
  const isCritical = count >= criticalThreshold && isWarm(activity, settings)
  if (!isCritical && isSprinkled(equal, calls)) return undefined
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

/**
 * Two calls in turn, and both give what they gave before. What is counted: answered calls at the end of the history that
 * alternate strictly, both kinds together and the latest included, so `warningThreshold` of 10 are five of each. After
 * `criticalThreshold` both are refused. An outcome that changes or is unknown, a third call and progress end the row; two
 * calls of which one waits are left to `known_poll_no_progress`.
 */
export const pingPong: Detector = ({ activity, settings }) => {
  const { warningThreshold, criticalThreshold, historySize } = settings
  const newest = activity.calls.at(-1)
  if (newest?.generation !== activity.generation || newest.repeat + 1 < Math.floor(warningThreshold / 2))
    return undefined
  const row = alternating(activity.calls.slice(-historySize))
  const other = row.at(-2)
  if (other === undefined || row.length < warningThreshold) return undefined
  const count = row.length
  const tools =
    newest.tool === other.tool ? `two calls of ${newest.tool}` : `${other.tool} and ${newest.tool}`
  return {
    detector: 'ping_pong',
    level: count >= criticalThreshold && isWarm(activity, settings) ? 'critical' : 'warning',
    key: [newest.call, other.call].toSorted().join(' '),
    message: `${tools} took turns ${count} times with the same results`,
    advice: `You go back and forth between ${tools}: ${count} calls, and both give what they gave before. Neither will change while nothing else does. Decide with what you know, or take another way.`,
    numbers: { calls: count },
    continuedBy: [newest.call, other.call],
    restsOn: latestSequences(row),
  }
}

/** The strictly alternating end of the calls; empty where there is none. */
function alternating(calls: readonly CallRecord[]): readonly CallRecord[] {
  const [other, newest] = calls.slice(-2)
  if (newest === undefined || other === undefined || newest.call === other.call) return []
  if (isWaiting(newest) || isWaiting(other)) return []
  const pair = [newest, other]
  let length = 0
  while (length < calls.length && isSame(calls[calls.length - 1 - length], pair[length % 2])) length += 1
  return calls.slice(calls.length - length)
}

/** Unknown is equal to nothing. */
function isSame(record: CallRecord | undefined, model: CallRecord | undefined): boolean {
  if (record === undefined || model === undefined || record.outcome === null) return false
  return (
    record.call === model.call && record.outcome === model.outcome && record.generation === model.generation
  )
}

/** Share of the breaker's calls at which the drive is told. */
const warningShare = 2 / 3

/**
 * Calls of any kind without progress: nothing new succeeded, the work did not become new, no check fared better. Told
 * after two thirds of `globalCircuitBreakerThreshold`; after all of them whatever comes next is refused. Then the drive may try once: the
 * breaker is half open for one turn after every refusal, and closes with the first progress. A pause on purpose neither
 * counts nor resets.
 */
export const globalCircuitBreaker: Detector = ({ activity, settings }) => {
  const { calls, callsSinceProgress: count } = activity
  const { globalCircuitBreakerThreshold } = settings
  if (count < globalCircuitBreakerThreshold * warningShare) return undefined
  if (calls.at(-1)?.callStatus === 'vetoed') return undefined
  const what = `${count} calls without progress`
  return {
    detector: 'global_circuit_breaker',
    level: count >= globalCircuitBreakerThreshold && isWarm(activity, settings) ? 'critical' : 'warning',
    key: 'no-progress',
    message: what,
    advice: `${what}: nothing new came of them, and the work is as it was. Stop and look at what you know; then take another way, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: 'any-call',
    restsOn: latestSequences(calls),
  }
}
