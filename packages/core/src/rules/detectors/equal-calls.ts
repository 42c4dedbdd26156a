/** Four customary detectors: generic_repeat, known_poll_no_progress, ping_pong, global_circuit_breaker. */
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
 * One call with equal or nearly equal outcomes. Warns after `warningThreshold` of the last `historySize`,
 * refuses after `criticalThreshold`. Other calls in between hide nothing, but a new one in every gap delays
 * the warning. Progress or another outcome resets the count. Waiting calls are left to
 * `known_poll_no_progress`.
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
    basedOn: latestSequences(equal),
  }
}

/** As many new calls as equal ones: the agent checks where it is before continuing. */
function isSprinkled(equal: readonly CallRecord[], calls: readonly CallRecord[]): boolean {
  const [oldest] = equal
  if (oldest === undefined) return false
  const isNews = ({ sequence, call, repeat, failure }: CallRecord) =>
    sequence > oldest.sequence && call !== oldest.call && repeat === 0 && failure === null
  return calls.filter(isNews).length >= equal.length - 1
}

/** The results differ only in a number, or in one line of many. */
function nearlyEqual(activity: Activity, settings: LoopDetectionSettings): Detection | undefined {
  const { calls, generation } = activity
  const newest = calls.at(-1)
  if (newest?.generation !== generation || isWaiting(newest) || newest.alike + 1 < settings.warningThreshold)
    return undefined
  // Identical results are counted above, as far as the history reaches.
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
    basedOn: latestSequences(equal),
  }
}

/** Factor on the thresholds if the agent pauses between polls. */
const patienceOfPauses = 2.5

/**
 * A waiting or polling call, or any call after a wait, whose result stays. Warns after `warningThreshold`
 * equal results in a row, refuses after `criticalThreshold`; with pauses in between, after 2.5 times as many.
 * A changed result resets the count.
 */
export const knownPollNoProgress: Detector = ({ activity, settings }) => {
  const { calls, generation } = activity
  const equal = mostRepeated({
    calls,
    generation,
    // Pauses and other calls may separate the polls, so the full history is read.
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
    // A pause and a poll in turn both continue the loop; refusing one refuses neither.
    continuedBy: [
      ...new Set(
        calls
          .slice(-2)
          .filter(isStill)
          .concat(newest)
          .map(({ call }) => call),
      ),
    ],
    basedOn: latestSequences(equal),
  }
}

function limitsOf({ warningThreshold, criticalThreshold }: LoopDetectionSettings, isPatient: boolean) {
  const critical = isPatient ? Math.ceil(criticalThreshold * patienceOfPauses) : criticalThreshold
  return { warning: critical - criticalThreshold + warningThreshold, critical }
}

/** Repeats before the kept history, from the oldest record's count, unless the result changed since. */
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
  // At least every second poll had a pause before it.
  return pauses > 0 && pauses * 2 >= polls - 2
}

/**
 * Two alternating calls that repeat their results. Counts both kinds at the end of the history, so a
 * `warningThreshold` of 10 is five of each; after `criticalThreshold` both are refused. A changed or unknown
 * outcome, a third call or progress ends the row.
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
    basedOn: latestSequences(row),
  }
}

function alternating(calls: readonly CallRecord[]): readonly CallRecord[] {
  const [other, newest] = calls.slice(-2)
  if (newest === undefined || other === undefined || newest.call === other.call) return []
  if (isWaiting(newest) || isWaiting(other)) return []
  const pair = [newest, other]
  let length = 0
  while (length < calls.length && isSame(calls[calls.length - 1 - length], pair[length % 2])) length += 1
  return calls.slice(calls.length - length)
}

/** An unknown outcome equals nothing. */
function isSame(record: CallRecord | undefined, model: CallRecord | undefined): boolean {
  if (record === undefined || model === undefined || record.outcome === null) return false
  return (
    record.call === model.call && record.outcome === model.outcome && record.generation === model.generation
  )
}

/** Ratio of the breaker's calls at which the agent is warned. */
const warningShare = 2 / 3

/**
 * Calls without progress: nothing new succeeded, no new tree, no better check. Warns at two thirds of
 * `globalCircuitBreakerThreshold`, then refuses every call. Each refusal half-opens the breaker for one turn;
 * progress closes it. Deliberate pauses neither count nor reset.
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
    basedOn: latestSequences(calls),
  }
}
