import { isOfList, type CallRecord, type VerificationRecord } from '../../state/activity/index.ts'
import {
  isCurrent,
  isWaiting,
  isWarm as isWarmedUp,
  latestSequences,
  type Detector,
  type Detection,
  isWarm,
} from './detection.ts'
import type { LoopDetectionSettings } from '../../events/settings/index.ts'

/** One call that keeps failing alike although the work changed in between. */
const inSpiteOfChanges = { window: 24, calls: 8 }
/** Different arguments may be a batch in which every item fails alike, so much more is needed. */
const differentCalls = { warning: 20, critical: 28, fatal: 34 }
/** Failures spread over all kept calls. */
const scatteredCalls = 30

/**
 * The same failure repeatedly, with any arguments or tools. Failures are compared by text with line numbers,
 * times and temporary names masked. Repeated calls count more than calls made once; work through a list is
 * not counted (`isOfList`).
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
  const isFatal =
    failures.length >= differentCalls.fatal ||
    (everywhere.length >= scatteredCalls && failures.length < everywhere.length)
  if (isWarm && isFatal) return detection('fatal', everywhere, newest)
  if (isWarm && (again >= settings.sameFailureThreshold - 1 || failures.length >= differentCalls.critical))
    return detection('critical', failures, newest)
  // On a new tree it may be a hard bug, so it only warns.
  if (isWarm && tries.length >= inSpiteOfChanges.calls) return detection('warning', tries, newest)
  const isNoticed =
    again >= Math.max(1, settings.sameFailureThreshold - 2) || failures.length >= differentCalls.warning
  return isNoticed ? detection('warning', failures, newest) : undefined
}

/** The failing tail on the current work. A veto of such a call counts; other vetoes are skipped. */
function inARow(calls: readonly CallRecord[], { failure, generation }: CallRecord): readonly CallRecord[] {
  const tried = calls.filter((record) => record.callStatus !== 'vetoed' || record.failure === failure)
  const other = tried.findLastIndex(
    (record) => record.failure !== failure || record.generation !== generation,
  )
  return tried.slice(other + 1).filter((record) => !isOfList(record))
}

/** How often this call failed this way; equal ones of one batch once. A wait in between resets. */
function timesTried(calls: readonly CallRecord[], { call, failure }: CallRecord): readonly CallRecord[] {
  const tries = calls
    .slice(-inSpiteOfChanges.window)
    .filter((record) => record.failure === failure && record.call === call && !isWaiting(record))
  return tries.filter(({ turn }, at) => turn !== tries[at - 1]?.turn)
}

/** On an unchanged tree. Side effects, such as an installation, get one attempt (`detectionsToRefuse`). */
function onThisWork(tries: readonly CallRecord[], { generation }: CallRecord): readonly CallRecord[] {
  return tries.filter((record) => record.generation === generation)
}

function larger(one: readonly CallRecord[], other: readonly CallRecord[]): readonly CallRecord[] {
  return other.length > one.length ? other : one
}

/** On the current work; or this very call on any work. */
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
    basedOn: latestSequences(failures),
  }
}

/** Unclaimed trees count this much less, because unfinished work fails. */
const changesPerClaim = 2

/**
 * The same checks fail with the same text, whatever changes. Counts new trees claimed done; changes alone
 * only warn. `CheckState.failureStreak` instead counts every failure of one check.
 */
export const failedCheckRepeat: Detector = ({ activity, settings }) => {
  const latest = activity.verifications.at(-1)
  if (latest === undefined || latest.failing === '') return undefined
  const { repeats, claims, checks, failing } = latest
  const fatal = settings.failedCheckRepeatThreshold
  if (claims < fatal && latest.idleClaims >= Math.max(2, settings.repeatedReplyThreshold - 2))
    return idle(latest, settings.repeatedReplyThreshold)
  const isTold = claims >= Math.max(2, Math.ceil(fatal / 2)) || repeats >= fatal * changesPerClaim
  if (!isTold) return undefined
  const names = checks.join(', ')
  return {
    detector: 'failed_check_repeat',
    level: claims >= fatal ? 'fatal' : 'warning',
    key: failing,
    message: `${names} failed in the same way on ${repeats} trees, ${claims} of them said to be done`,
    advice: `${names} failed ${repeats} times in the same way although you changed the work each time: your changes do not touch the cause. Read its output from the start, find out by a small experiment what it depends on, and only then change something.`,
    numbers: { repeats, claims },
    continuedBy: [],
    basedOn: latestSequences(activity.verifications.filter((record) => record.failing === failing)),
  }
}

/** Repeatedly claimed done with nothing changed in between. */
function idle({ idleClaims, checks, failing, sequence }: VerificationRecord, fatal: number): Detection {
  const names = checks.join(', ')
  return {
    detector: 'failed_check_repeat',
    level: idleClaims >= fatal ? 'fatal' : 'warning',
    key: `idle ${failing}`,
    message: `said to be done ${idleClaims} times without any change, and ${names} failed each time`,
    advice: `You have said ${idleClaims} times that you are done, and changed nothing in between; ${names} fails as before. Saying it decides nothing: change the work, or say what keeps you from it.`,
    numbers: { claims: idleClaims },
    continuedBy: [],
    basedOn: [sequence],
  }
}

/** With fewer different arguments it is a repetition, not churn. */
const fewestArguments = 3
/** Ratio of new arguments that makes a row a list. */
const listShare = 0.75
/** A possible list is warned about late, because most end first. */
const listWarningShare = 0.9
/** Fewer turns give the agent no chance to learn. */
const fewestTurns = 3

/**
 * One tool, changing arguments, one equal outcome. Warns after half of `warningThreshold`, refuses after
 * `criticalThreshold`; each refusal lets one turn through.
 * Work through a list is left alone: edits and short acknowledgements are never churn. New arguments with
 * failures, or with short results of read-only tools, are tolerated until `globalCircuitBreakerThreshold`,
 * and longer if only the path differs (`isOfList`).
 */
export const argumentChurn: Detector = ({ activity, settings }) => {
  const { calls } = activity
  const newest = calls.at(-1)
  if (newest?.generation !== activity.generation || !isTelling(newest)) return undefined
  const row = sameOutcomeInARow(calls, newest, settings.historySize)
  const { length } = row
  if (length < fewestArguments) return undefined
  const { warning, critical } = limitsOf(row, newest, settings)
  if (length < warning) return undefined
  const different = countOfDifferent(row)
  if (different < fewestArguments) return undefined
  const turns = new Set(row.map(({ turn }) => turn)).size
  const isCritical = length >= critical && turns >= fewestTurns && isWarm(activity, settings)
  return {
    detector: 'argument_churn',
    level: isCritical ? 'critical' : 'warning',
    key: `${newest.tool} ${newest.outcome ?? ''}`,
    message: `${length} calls of ${newest.tool} with ${different} different arguments gave the same result`,
    advice: `You have called ${newest.tool} ${length} times with other arguments each time, and the result was the same. More of them will not change it. Look at what the result says, use another tool, or say what is missing.`,
    numbers: { calls: length, differentArguments: different },
    continuedBy: { tool: newest.tool },
    basedOn: latestSequences(row),
  }
}

/** Its outcome should have changed with the arguments. */
function isTelling(newest: CallRecord): boolean {
  const { callStatus, outcome, waits, failure, edits, readOnly, looks, said } = newest
  if (callStatus !== 'ran' || outcome === null || waits || isOfList(newest)) return false
  if (failure !== null) return true
  return edits !== true && (said === 'enough' || (said === 'little' && (readOnly ?? looks ?? false)))
}

function limitsOf(row: readonly CallRecord[], newest: CallRecord, settings: LoopDetectionSettings) {
  const { warningThreshold, criticalThreshold, globalCircuitBreakerThreshold, historySize } = settings
  const mayBeList = newest.failure !== null || newest.said !== 'enough'
  if (mayBeList && countOfDifferent(row) >= row.length * listShare) {
    const critical = Math.min(globalCircuitBreakerThreshold, historySize)
    return { warning: Math.ceil(critical * listWarningShare), critical }
  }
  return { warning: Math.ceil(warningThreshold / 2), critical: criticalThreshold }
}

function countOfDifferent(row: readonly CallRecord[]): number {
  return new Set(row.map(({ call }) => call)).size
}

/** The tail of equal outcomes of this tool; vetoed calls are skipped. */
function sameOutcomeInARow(
  calls: readonly CallRecord[],
  newest: CallRecord,
  historySize: number,
): readonly CallRecord[] {
  const row: CallRecord[] = []
  for (let index = calls.length - 1; index >= 0 && row.length < historySize; index -= 1) {
    const record = calls[index]
    if (record?.tool !== newest.tool) break
    if (record.callStatus === 'vetoed' || isOfList(record)) continue
    if (record.outcome !== newest.outcome || record.generation !== newest.generation) break
    row.push(record)
  }
  return row.reverse()
}
