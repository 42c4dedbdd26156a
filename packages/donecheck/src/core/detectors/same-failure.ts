import { isOfList, type CallRecord } from '../../events/index.ts'
import { isWarm as isWarmedUp, latestSequences, type Detector, type Sign } from './sign.ts'

/** One call that fails in one way, so often among the latest calls, although the work was changed in between. */
const inSpiteOfChanges = { window: 24, calls: 8 }
/** With other arguments every time it may be a batch in which every piece fails alike, so much more is needed. */
const differentCalls = { warning: 20, critical: 28, hopeless: 34 }
/** So often among all calls that are kept, with other calls between. */
const scatteredCalls = 30

/**
 * The same failure over and over, with the same or other arguments, from one tool or several: failures are compared by
 * what they say, line numbers, times and names of temporary files masked. Calls that come back count for more than calls
 * that each were tried once. What works through a list of paths is not counted (`isOfList`).
 */
export const sameFailure: Detector = ({ activity, settings }) => {
  const { calls } = activity
  const newest = calls.at(-1)
  if (newest === undefined || newest.failure === null || newest.fate === 'unknown-tool' || isOfList(newest))
    return undefined
  const { failure } = newest
  if (!calls.some((record) => record.failure === failure && record !== newest)) return undefined
  const row = inARow(calls, newest)
  const different = new Set(row.map(({ call }) => call)).size
  const again = row.length - different
  const isWarm = isWarmedUp(activity, settings)
  const stubborn = timesTried(calls, newest)
  const everywhere = calls.filter(
    (record) => record.failure === failure && record.epoch === newest.epoch && !isOfList(record),
  )
  const isHopeless =
    row.length >= differentCalls.hopeless ||
    (everywhere.length >= scatteredCalls && row.length < everywhere.length)
  if (isWarm && isHopeless) return sign('hopeless', everywhere, newest)
  if (isWarm && stubborn.length >= inSpiteOfChanges.calls)
    // On a tree that is new it may be a hard bug and honest work: it is only told.
    return sign(stubborn.at(-2)?.epoch === newest.epoch ? 'critical' : 'warning', stubborn, newest)
  if (isWarm && (again >= settings.sameFailures - 1 || row.length >= differentCalls.critical))
    return sign('critical', row, newest)
  const isNoticed = again >= Math.max(1, settings.sameFailures - 2) || row.length >= differentCalls.warning
  return isNoticed ? sign('warning', row, newest) : undefined
}

/**
 * The failing end of the calls, on the work as it is now. A veto of a call that failed so is one more try of it; one of another call
 * did not run and is passed over.
 */
function inARow(calls: readonly CallRecord[], { failure, epoch }: CallRecord): readonly CallRecord[] {
  const tried = calls.filter((record) => record.fate !== 'vetoed' || record.failure === failure)
  const other = tried.findLastIndex((record) => record.failure !== failure || record.epoch !== epoch)
  return tried.slice(other + 1).filter((record) => !isOfList(record))
}

/** This very call, failing in this way, whatever was changed between. */
function timesTried(calls: readonly CallRecord[], { call, failure }: CallRecord): readonly CallRecord[] {
  return calls
    .slice(-inSpiteOfChanges.window)
    .filter((record) => record.failure === failure && record.call === call)
}

function sign(level: Sign['level'], failures: readonly CallRecord[], newest: CallRecord): Sign {
  const count = failures.length
  return {
    detector: 'same_failure',
    level,
    key: newest.failure ?? '',
    message: `${newest.tool} failed in the same way ${count} times`,
    advice: `The same failure has come back ${count} times (${newest.tool} last). Trying it once more with small changes does not help: read what the failure says, find its cause, and take another way.`,
    numbers: { failures: count },
    continuedBy: [...new Set(failures.map(({ call }) => call))],
    restsOn: latestSequences(failures),
  }
}
