/** What the rules of the soft tier look at: the latest calls, replies, trees and verifications, bounded in size (I2). */
import type { CallFact, CallRecord } from './calls.ts'
import type { ReplyFact, ReplyRecord, VerificationRecord } from './records.ts'
import { saysNearlyTheSame } from './texts.ts'

export interface Activity {
  /** The latest calls, oldest first. */
  readonly calls: readonly CallRecord[]
  readonly replies: readonly ReplyRecord[]
  /** Complete verifications, the baseline among them. */
  readonly verifications: readonly VerificationRecord[]
  /** Fingerprints of trees that were seen, latest last: an edit that is undone brings nothing new. */
  readonly trees: readonly string[]
  /** The batch of calls after which the tree was looked at last. */
  readonly treeBatch: number
  /** Grows with every step of progress. */
  readonly generation: number
  /** Calls since the task was set. */
  readonly callsInTask: number
  /** Calls since something new succeeded, the work became new, or checks fared better. */
  readonly callsSinceProgress: number
  /** Calls in a row, up to the latest, that brought something new. */
  readonly newCallsInARow: number
  /**
   * In how many turns a call or batch was refused because of a loop, since the drive last got out of one. A turn that asks again for
   * what gave the same result over and over, although the turn before was refused already, counts twice.
   */
  readonly vetoes: number
  /** The turn of the latest veto: several calls that are refused in one turn are one veto. */
  readonly vetoedTurn: number
}

export const noActivity: Activity = {
  calls: [],
  replies: [],
  verifications: [],
  trees: [],
  treeBatch: 0,
  generation: 0,
  callsInTask: 0,
  callsSinceProgress: 0,
  newCallsInARow: 0,
  vetoes: 0,
  vetoedTurn: 0,
}

/** Calls, replies, verifications and trees that are kept: half of the calls is the longest period of a cycle. */
export const keptCalls = 64
export const keptReplies = 32
const keptVerifications = 24
export const keptTrees = 64
/** A drive that makes so many new calls in a row is out of its loop. */
export const newCallsOutOfLoop = 6
/** Nearly the same so often is no news any more. */
const newsAlike = 4
/** A call that gave the same so often before is a repeat, whoever looks at it. */
const exactRepeat = 2

/**
 * Adds a call. One look back over a window of fixed size finds the same call and outcome; what was counted there is
 * carried on, so the cost of a call depends neither on the length of the run nor on the period of a cycle.
 */
export function withCall(activity: Activity, fact: CallFact, kept: number = keptCalls): Activity {
  const before = sameBefore(activity.calls, fact)
  const near = nearBefore(activity.calls, fact)
  const isCurrent = (record: CallRecord) =>
    record.generation === activity.generation || (fact.readOnly ?? false)
  const repeat = before !== undefined && isCurrent(before) ? oneMore(before.repeat, before, fact) : 0
  const alike = near !== undefined && isCurrent(near) ? oneMore(near.alike, near, fact) : 0
  const listed = pieceOfList(activity.calls, fact)
  const latest = activity.calls.at(-1)
  // What only says nearly the same is news for a while: a number may be what was asked for.
  const isNews =
    fact.callStatus === 'ran' && fact.outcome !== null && before === undefined && alike < newsAlike
  const record: CallRecord = {
    ...fact,
    repeat,
    alike,
    ...(listed === 0 ? {} : { listed }),
    ...(latest?.waits === true ? { afterWait: true } : {}),
    generation: activity.generation,
  }
  const isProgress = isNews && fact.failure === null && !fact.noOp
  const newCallsInARow = isNews ? activity.newCallsInARow + 1 : 0
  const isVeto = fact.callStatus === 'vetoed' && fact.turn !== activity.vetoedTurn
  const vetoes = isVeto ? (repeat >= exactRepeat && activity.vetoes > 0 ? 2 : 1) : 0
  // Letting time pass on purpose, and asking after it, can bring no progress and is no sign of having lost the way.
  const isPause = fact.waits && (fact.pauses ?? false)
  const isAsking = latest?.waits === true && latest.pauses === true && alike > 0
  const isExcused = isPause || isAsking || isOfList(record)
  return {
    ...activity,
    calls: appendBounded(activity.calls, record, kept),
    callsInTask: activity.callsInTask + 1,
    callsSinceProgress: isProgress ? 0 : activity.callsSinceProgress + (isExcused ? 0 : 1),
    newCallsInARow,
    vetoes: newCallsInARow >= newCallsOutOfLoop ? 0 : activity.vetoes + vetoes,
    vetoedTurn: isVeto ? fact.turn : activity.vetoedTurn,
  }
}

/**
 * What a refusal because of a loop says of a call: it stands where it stood. Refused again, it is the same call with the same outcome
 * once more, and a try of what failed. A new call has no outcome, and its refusal counts all the same.
 */
export function vetoOfCall(
  { calls }: Activity,
  call: string,
): Pick<CallFact, 'outcome' | 'failure' | 'lines' | 'callStatus'> {
  const {
    outcome = null,
    failure = null,
    lines = '',
  } = calls.findLast((record) => record.call === call) ?? {}
  return { outcome, failure, lines, callStatus: 'vetoed' }
}

/** As far back as it can be seen whether a path is new: in a longer list a failure counts again. */
const longestList = keptCalls

/** A call that works through a list: that it fails as the pieces before it is what the list is worked through for. */
export function isOfList({ listed = 0 }: Pick<CallRecord, 'listed'>): boolean {
  return listed > 0 && listed <= longestList
}

function pieceOfList(calls: readonly CallRecord[], { pattern, call, callStatus }: CallFact): number {
  if (pattern === undefined || callStatus !== 'ran' || calls.some((record) => record.call === call)) return 0
  const before = calls.findLast((record) => record.pattern === pattern)
  return before === undefined ? 0 : (before.listed ?? 0) + 1
}

/** Equal calls of one batch were asked for at one time: together they are one round. */
function oneMore(count: number, before: CallRecord, fact: CallFact): number {
  return before.turn === fact.turn ? count : count + 1
}

type Answer = Pick<CallFact, 'outcome' | 'lines'>

/** The time before that this call was answered, where it said the same or nearly the same then. */
function nearBefore(
  calls: readonly CallRecord[],
  { call, outcome, lines = '' }: CallFact,
): CallRecord | undefined {
  if (outcome === null) return undefined
  const latest = calls.findLast((record) => record.call === call && record.outcome !== null)
  return latest !== undefined && saysAlike(latest, { outcome, lines }) ? latest : undefined
}

function saysAlike(one: Answer, { outcome, lines = '' }: Answer): boolean {
  return one.outcome === outcome || (lines !== '' && saysNearlyTheSame(one.lines ?? '', lines))
}

/** The same call with the same answer, or nearly: a line that is written again stands in the answer once more. */
export function isRepeat(fact: CallFact, earlier: readonly CallRecord[]): boolean {
  const { call, outcome } = fact
  return outcome !== null && earlier.some((record) => record.call === call && saysAlike(record, fact))
}

function sameBefore(calls: readonly CallRecord[], { call, outcome }: CallFact): CallRecord | undefined {
  return outcome === null
    ? undefined
    : calls.findLast((record) => record.call === call && record.outcome === outcome)
}

/** The work is as it never was before: whatever is called now is called on something else. */
export function withProgress(activity: Activity): Activity {
  return { ...activity, generation: activity.generation + 1, callsSinceProgress: 0, vetoes: 0 }
}

/**
 * A look at the tree. One that was seen before, such as after an edit that was undone, is no progress; nor is one that came of
 * nothing but calls that had been made before with the same answer: a line that is appended again makes a file grow for ever.
 * @param since the turn from which on calls have left it so: they count for this tree, or a write that is made again would be
 *   new once more
 */
export function withTree(activity: Activity, fingerprint: string, since = Infinity): Activity {
  if (activity.trees.includes(fingerprint)) return activity
  const trees = appendBounded(activity.trees, fingerprint, keptTrees)
  if (activity.trees.length === 0) return { ...activity, trees }
  if (onlyRepeats(activity.calls, since)) return { ...activity, trees }
  const next = withProgress(activity)
  const calls = next.calls.map((record) =>
    record.turn >= since ? onNewWork(record, next.generation) : record,
  )
  return { ...next, trees, calls }
}

/** A test beside the edit says the same as before of other work: it is no repeat. */
function onNewWork(record: CallRecord, generation: number): CallRecord {
  return record.readOnly === true ? { ...record, generation } : { ...record, generation, repeat: 0, alike: 0 }
}

/** What only looks has changed nothing; while something waits, another program may have done the work. */
function onlyRepeats(calls: readonly CallRecord[], since: number): boolean {
  const start = calls.findLastIndex(({ turn }) => turn < since) + 1
  const earlier = calls.slice(0, start)
  const work = calls.slice(start).filter(({ callStatus, looks }) => callStatus === 'ran' && looks !== true)
  return work.length > 0 && work.every((record) => !record.waits && isRepeat(record, earlier))
}

export function withReply(activity: Activity, reply: ReplyFact): Activity {
  const record: ReplyRecord = { ...reply, generation: activity.generation }
  return { ...activity, replies: appendBounded(activity.replies, record, keptReplies) }
}

/** Fewer failing tests, or other failures than ever before, are progress. */
export function withVerification(activity: Activity, record: VerificationRecord): Activity {
  const next = {
    ...activity,
    verifications: appendBounded(activity.verifications, record, keptVerifications),
  }
  const isFirst = activity.verifications.length === 0
  const isNews = record.isBest || !activity.verifications.some(({ failing }) => failing === record.failing)
  // Of the same work a check may say something else, because it is flaky or the time has gone on: nothing was done.
  const isSameTree = record.tree !== undefined && record.tree === activity.verifications.at(-1)?.tree
  return isFirst || isSameTree || !isNews ? next : withProgress(next)
}

/** Another task is another scope: nothing that was done for the one before counts. */
export function withTask(activity: Activity): Activity {
  return activity.callsInTask === 0 && activity.replies.length === 0
    ? activity
    : { ...noActivity, trees: activity.trees, generation: activity.generation + 1 }
}

export function appendBounded<Item>(items: readonly Item[], item: Item, kept: number): readonly Item[] {
  const next = items.slice(Math.max(0, items.length - kept + 1))
  next.push(item)
  return next
}
