import type { CallRecord } from '../../state/activity/index.ts'
import { isWarm, latestSequences, type Detector } from './detection.ts'

/** A drive that was answered in fewer turns has had no chance to learn. */
const fewestTurns = 3

/**
 * Calls of tools that do not exist, one after the other; names and arguments may vary. Told after half of
 * `unknownToolCalls`. Each of them was refused already, with the names of the tools that there are, so after all of them,
 * in three turns at least, the run ends. A call that ran ends the row.
 */
export const unknownToolRepeat: Detector = ({ activity, settings }) => {
  const { calls } = activity
  if (calls.at(-1)?.callStatus === 'ran') return undefined
  const row = unknownInARow(calls.slice(-settings.historyCalls))
  const newest = row.at(-1)
  const { length } = row
  if (newest === undefined || length * 2 < settings.unknownToolCalls) return undefined
  const turns = new Set(row.map(({ turn }) => turn)).size
  const isHopeless = length >= settings.unknownToolCalls && turns >= fewestTurns && isWarm(activity, settings)
  return {
    detector: 'unknown_tool_repeat',
    level: isHopeless ? 'hopeless' : 'warning',
    key: `since ${row[0]?.sequence ?? 0}`,
    message: `${length} calls in a row of tools that do not exist, ${newest.tool} last`,
    advice: `There is no tool ${newest.tool}: ${length} calls in a row named a tool that does not exist. Use one of the tools that you were given, or answer without one.`,
    numbers: { calls: length },
    continuedBy: [...new Set(row.map(({ call }) => call))],
    restsOn: latestSequences(row),
  }
}

/** Vetoes of other detectors are passed over: they say nothing about tools. */
function unknownInARow(calls: readonly CallRecord[]): readonly CallRecord[] {
  const ran = calls.findLastIndex(({ callStatus }) => callStatus === 'ran')
  return calls.slice(ran + 1).filter(({ callStatus }) => callStatus === 'unknown-tool')
}
