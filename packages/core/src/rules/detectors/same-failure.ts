import { isOfList, type CallRecord } from '../../state/activity/index.ts'
import { isCurrent, isWaiting } from './equal-calls.ts'
import { isWarm as isWarmedUp, latestSequences, type Detector, type Detection } from './detection.ts'

/** One call that fails in one way, so often among the latest calls, although the work was changed in between. */
const inSpiteOfChanges = { window: 24, calls: 8 }
/** With other arguments every time it may be a batch in which every piece fails alike, so much more is needed. */
const differentCalls = { warning: 20, critical: 28, hopeless: 34 }
/** So often among all calls that are kept, with other calls between; this very call also with changes between. */
const scatteredCalls = 30

/**
 * The same failure over and over, with the same or other arguments, from one tool or several: failures are compared by
 * what they say, line numbers, times and names of temporary files masked. Calls that come back count for more than calls
 * that each were tried once. What works through a list of paths is not counted (`isOfList`).
 */
export const sameFailure: Detector = ({ activity, settings }) => {
  const { calls } = activity
  const newest = calls.at(-1)
  if (newest === undefined || newest.failure === null || isOfList(newest)) return undefined
  if (!isCurrent(newest, activity.generation)) return undefined
  const { failure } = newest
  if (!calls.some((record) => record.failure === failure && record !== newest)) return undefined
  const tries = timesTried(calls, newest)
  const failures = larger(inARow(calls, newest), onThisWork(tries, newest))
  const different = new Set(failures.map(({ call }) => call)).size
  const again = failures.length - different
  const isWarm = isWarmedUp(activity, settings)
  const everywhere = calls.filter(
    (record) => record.failure === failure && isSameTry(record, newest) && !isOfList(record),
  )
  const isHopeless =
    failures.length >= differentCalls.hopeless ||
    (everywhere.length >= scatteredCalls && failures.length < everywhere.length)
  if (isWarm && isHopeless) return detection('hopeless', everywhere, newest)
  if (isWarm && (again >= settings.sameFailureThreshold - 1 || failures.length >= differentCalls.critical))
    return detection('critical', failures, newest)
  // On a tree that is new it may be a hard bug and honest work: it is only told.
  if (isWarm && tries.length >= inSpiteOfChanges.calls) return detection('warning', tries, newest)
  const isNoticed =
    again >= Math.max(1, settings.sameFailureThreshold - 2) || failures.length >= differentCalls.warning
  return isNoticed ? detection('warning', failures, newest) : undefined
}

/**
 * The failing end of the calls, on the work as it is now. A veto of a call that failed so is one more try of it; one of another call
 * did not run and is passed over.
 */
function inARow(calls: readonly CallRecord[], { failure, generation }: CallRecord): readonly CallRecord[] {
  const tried = calls.filter((record) => record.callStatus !== 'vetoed' || record.failure === failure)
  const other = tried.findLastIndex(
    (record) => record.failure !== failure || record.generation !== generation,
  )
  return tried.slice(other + 1).filter((record) => !isOfList(record))
}

/**
 * This very call, failing in this way, whatever was called or changed between; equal ones of one batch once. Who waits between two
 * tries expects a change.
 */
function timesTried(calls: readonly CallRecord[], { call, failure }: CallRecord): readonly CallRecord[] {
  const tries = calls
    .slice(-inSpiteOfChanges.window)
    .filter((record) => record.failure === failure && record.call === call && !isWaiting(record))
  return tries.filter(({ turn }, at) => turn !== tries[at - 1]?.turn)
}

/** On a tree that is as it was. What was done beside it, such as an installation, is let try (`detectionsToRefuse`). */
function onThisWork(tries: readonly CallRecord[], { generation }: CallRecord): readonly CallRecord[] {
  return tries.filter((record) => record.generation === generation)
}

function larger(one: readonly CallRecord[], other: readonly CallRecord[]): readonly CallRecord[] {
  return other.length > one.length ? other : one
}

/** Of the work as it is; this very call, whatever was changed for it. */
function isSameTry({ generation, call }: CallRecord, newest: CallRecord): boolean {
  return generation === newest.generation || call === newest.call
}

function detection(
  level: Detection['level'],
  failures: readonly CallRecord[],
  newest: CallRecord,
): Detection {
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
