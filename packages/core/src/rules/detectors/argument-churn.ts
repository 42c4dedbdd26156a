import type { LoopDetectionSettings } from '../../events/settings/index.ts'
import { isOfList, type CallRecord } from '../../state/activity/index.ts'
import { isWarm, latestSequences, type Detector } from './detection.ts'

/** With fewer different arguments it is a repetition and no churn. */
const fewestArguments = 3
/** Share of a row's arguments that are new where it works through a list; a few are tried once more. */
const listShare = 0.75
/** Share of its patience after which it is told of what may be a list: shortly before the end of it, because most are. */
const listWarningShare = 0.9
/** A drive that was answered in fewer turns has had no chance to learn: its calls stood in one or two batches. */
const fewestTurns = 3

/**
 * One tool, other arguments from call to call, one and the same outcome. Told after half of `warningThreshold`; after
 * `criticalThreshold` the next call of the tool is refused, and after every refusal one turn is let through to show that
 * something else comes of it.
 *
 * Work through a list looks alike for a while, and is let be: an edit or a short acknowledgement such as `ok` is never
 * churn; and where the arguments are new and the outcome a failure (lint over many files) or a few words of a tool that
 * only reads, patience lasts until `globalCircuitBreakerThreshold`; where nothing but the path differs, even longer (`isOfList`). Where more than a quarter of the arguments come back it is no list.
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
    restsOn: latestSequences(row),
  }
}

/** Its outcome says something that other arguments should have changed. */
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

/** The end of the calls that this tool has answered alike; what was vetoed did not run and is passed over. */
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
