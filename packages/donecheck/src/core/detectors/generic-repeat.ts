import { isWaiting, mostRepeated } from './equal-calls.ts'
import { isWarm, latestSequences, type Detector } from './sign.ts'

/**
 * One call with one outcome, over and over. Told after `warningCalls` of them within the last `historyCalls`; after
 * `criticalCalls` the next one is refused. Calls between them hide nothing; progress, and another outcome of the same
 * call, begin the count anew. Calls that wait, and those right after one, are left to `known_poll_no_progress`.
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
  if (equal === undefined || newest === undefined || equal.length < warningCalls) return undefined
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
