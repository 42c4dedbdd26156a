import { latestSequences, type Detector, type Detection } from './detection.ts'

/** Edits in a row that changed nothing: the drive is told, then the same ones are refused. */
const warningEdits = 2
const criticalEdits = 4

/**
 * Edits that change nothing: a tool says so, or the turn left the tree as it was. One that changed something ends the row,
 * even if it only brings back what was there before. Reading and testing may go on; an edit that is made again and again although
 * it is refused ends the run.
 */
export const noOpEdit: Detector = ({ activity }) => {
  const { noOpEdits, calls, generation } = activity
  if (noOpEdits < warningEdits) return undefined
  const idle = calls.filter((call) => call.noOp && call.generation === generation)
  const level: Detection['level'] = noOpEdits >= criticalEdits ? 'critical' : 'warning'
  return {
    detector: 'no_op_edit',
    level,
    key: String(generation),
    message: `${noOpEdits} edits in a row changed nothing`,
    advice: `The last ${noOpEdits} edits changed nothing: the files already are as you wrote them. Read the file as it is now, find what really is wrong, and change that; or say that there is nothing left to change.`,
    numbers: { edits: noOpEdits },
    continuedBy: [...new Set(idle.map(({ call }) => call))],
    restsOn: latestSequences(idle),
  }
}
