import type { CallRecord } from '../../events/index.ts'
import { isWaiting, mostRepeated } from './equal-calls.ts'
import { isWarm, latestSequences, type Detector, type Sign } from './sign.ts'

/**
 * One call with one outcome, over and over. Told after `warningCalls` of them within the last `historyCalls`; after
 * `criticalCalls` the next one is refused. Calls between them hide nothing; progress, and another outcome of the same
 * call, begin the count anew. With `repeatCounts: 'same-call'` it is told of equal calls whatever came of them, as some systems do;
 * what is refused is the same. Calls that wait, and those right after one, are left to `known_poll_no_progress`.
 */
export const genericRepeat: Detector = ({ activity, settings }) => {
  const { calls, epoch } = activity
  const { historyCalls, warningCalls, criticalCalls } = settings
  const equal = mostRepeated({
    calls,
    epoch,
    historyCalls,
    atLeast: warningCalls,
    counts: (record) => !isWaiting(record),
  })
  const newest = equal?.at(-1)
  if (equal === undefined || newest === undefined || equal.length < warningCalls)
    return settings.repeatCounts === 'same-call'
      ? calledOften(calls.slice(-historyCalls), warningCalls)
      : undefined
  const count = equal.length
  return {
    detector: 'generic_repeat',
    level: count >= criticalCalls && isWarm(activity, settings) ? 'critical' : 'warning',
    key: `${newest.call} ${newest.outcome ?? ''}`,
    message: `${newest.tool} gave the same result ${count} times`,
    advice: `You have made the same call of ${newest.tool} ${count} times, and it gave the same result every time. It will not give another one now. Use the result, change the work, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: [newest.call],
    restsOn: latestSequences(equal),
  }
}

/** The latest call was made so often, and gave one thing or another. */
function calledOften(calls: readonly CallRecord[], warningCalls: number): Sign | undefined {
  const newest = calls.at(-1)
  if (newest === undefined || isWaiting(newest)) return undefined
  const equal = calls.filter(({ call, fate }) => call === newest.call && fate !== 'vetoed')
  const count = equal.length
  if (count < warningCalls) return undefined
  return {
    detector: 'generic_repeat',
    level: 'warning',
    key: newest.call,
    message: `${newest.tool} was called ${count} times with the same arguments`,
    advice: `You have made the same call of ${newest.tool} ${count} times. If it does not get you on, take another way, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: [newest.call],
    restsOn: latestSequences(equal),
  }
}
