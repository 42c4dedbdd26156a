import type { CallRecord } from '../../state/activity/index.ts'
import { isWaiting } from './equal-calls.ts'
import { isWarm, latestSequences, type Detector } from './detection.ts'

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
