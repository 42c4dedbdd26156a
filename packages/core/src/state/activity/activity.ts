/** Input of the soft tier's rules: recent calls, replies, trees and verifications, bounded in size (I2). */
import type { CallFact, CallRecord } from './calls.ts'
import type { ReplyFact, ReplyRecord, VerificationRecord } from './records.ts'
import { saysNearlyTheSame } from './texts.ts'

export interface Activity {
  readonly calls: readonly CallRecord[]
  readonly replies: readonly ReplyRecord[]
  readonly verifications: readonly VerificationRecord[]
  /** Fingerprints of seen trees, oldest first: an undone edit is not new. */
  readonly trees: readonly string[]
  readonly treeBatch: number
  readonly generation: number
  readonly callsInTask: number
  readonly callsSinceProgress: number
  readonly newCallsInARow: number
  /** Turns with a loop veto since the agent last left a loop; ignoring a veto counts twice. */
  readonly vetoes: number
  /** Several refused calls of one turn are one veto. */
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

/** Entries kept per list; half of it is the longest detectable cycle. */
export const keptCalls = 64
export const keptReplies = 32
const keptVerifications = 24
export const keptTrees = 64
/** This many new calls in a row leave a loop. */
export const newCallsOutOfLoop = 6
/** Near-equal results beyond this number are not new. */
const newsAlike = 4
/** Equal results beyond this number are a repeat. */
const exactRepeat = 2

/** Adds a call. Counts carry over within a fixed window, so the cost is constant. */
export function withCall(activity: Activity, fact: CallFact, kept: number = keptCalls): Activity {
  const before = sameBefore(activity.calls, fact)
  const near = nearBefore(activity.calls, fact)
  const isCurrent = (record: CallRecord) =>
    record.generation === activity.generation || (fact.readOnly ?? false)
  const repeat = before !== undefined && isCurrent(before) ? oneMore(before.repeat, before, fact) : 0
  const alike = near !== undefined && isCurrent(near) ? oneMore(near.alike, near, fact) : 0
  const listed = pieceOfList(activity.calls, fact)
  const latest = activity.calls.at(-1)
  // A near-equal result is new at first: a number may be what was asked for.
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
  // Deliberate waits and polls are no progress and no loop.
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

/** Records a loop veto: the call with its earlier outcome once more. A new call counts without one. */
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

/** How far back paths are compared; beyond it a failure counts again. */
const longestList = keptCalls

/** Work through a list is expected to fail alike for each item. */
export function isOfList({ listed = 0 }: Pick<CallRecord, 'listed'>): boolean {
  return listed > 0 && listed <= longestList
}

function pieceOfList(calls: readonly CallRecord[], { pattern, call, callStatus }: CallFact): number {
  if (pattern === undefined || callStatus !== 'ran' || calls.some((record) => record.call === call)) return 0
  const before = calls.findLast((record) => record.pattern === pattern)
  return before === undefined ? 0 : (before.listed ?? 0) + 1
}

/** Equal calls of one batch are one round. */
function oneMore(count: number, before: CallRecord, fact: CallFact): number {
  return before.turn === fact.turn ? count : count + 1
}

type Answer = Pick<CallFact, 'outcome' | 'lines'>

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

/** The same call with an equal or near-equal result; an appended line shows up in the result again. */
export function isRepeat(fact: CallFact, earlier: readonly CallRecord[]): boolean {
  const { call, outcome } = fact
  return outcome !== null && earlier.some((record) => record.call === call && saysAlike(record, fact))
}

function sameBefore(calls: readonly CallRecord[], { call, outcome }: CallFact): CallRecord | undefined {
  return outcome === null
    ? undefined
    : calls.findLast((record) => record.call === call && record.outcome === outcome)
}

/** The work is new, so every later call runs on something else. */
export function withProgress(activity: Activity): Activity {
  return { ...activity, generation: activity.generation + 1, callsSinceProgress: 0, vetoes: 0 }
}

/**
 * Records an observed tree. A known tree is no progress, nor is one made only by repeated calls, because
 * appending the same line grows a file forever.
 * @param since first turn whose calls led to this tree
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

/** A test run together with the edit ran on the earlier work. */
function onNewWork(record: CallRecord, generation: number): CallRecord {
  return record.readOnly === true ? { ...record, generation } : { ...record, generation, repeat: 0, alike: 0 }
}

/** Nothing but repeats; during a wait another program may have done the work. */
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

/** Fewer failing tests, or new failures, are progress. */
export function withVerification(activity: Activity, record: VerificationRecord): Activity {
  const next = {
    ...activity,
    verifications: appendBounded(activity.verifications, record, keptVerifications),
  }
  const isFirst = activity.verifications.length === 0
  const isNews = record.isBest || !activity.verifications.some(({ failing }) => failing === record.failing)
  // On one tree a changed verdict is flaky or time-dependent: nothing was done.
  const isSameTree = record.tree !== undefined && record.tree === activity.verifications.at(-1)?.tree
  return isFirst || isSameTree || !isNews ? next : withProgress(next)
}

/** A new task starts from scratch. */
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
