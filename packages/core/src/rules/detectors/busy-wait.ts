import type { CallRecord } from '../../state/activity/index.ts'
import { latestSequences, type Detector } from './detection.ts'

/** Questions in a row with the same answer, and how long to wait before the next one. */
const backOff = [
  { questions: 13, waitSeconds: 60 },
  { questions: 10, waitSeconds: 30 },
  { questions: 7, waitSeconds: 10 },
  { questions: 4, waitSeconds: 5 },
] as const
/** Who asks so often has heard all hints, and does not listen. */
const deafQuestions = 24

/**
 * Asking again and again how something stands, at the heels of the last answer, which was the same. It only gives a hint;
 * `known_poll_no_progress` is what ends it. A call that lets time pass by itself, such as a sleep, is no hurry.
 */
export const busyWait: Detector = ({ activity: { calls } }) => {
  const newest = calls.at(-1)
  if (newest === undefined || !newest.waits || newest.repeat === 0) return undefined
  const other = calls.findLastIndex((record) => !isSameQuestion(record, newest))
  const row = calls.slice(other + 1)
  const step = backOff.find(({ questions }) => row.length >= questions)
  if (step === undefined || row.length >= deafQuestions) return undefined
  const { waitSeconds } = step
  return {
    detector: 'busy_wait',
    level: 'warning',
    key: `${newest.call} ${step.questions} since ${row[0]?.sequence ?? 0}`,
    message: `${newest.tool} gave the same answer ${row.length} times in a row, without a pause`,
    advice: `Nothing has changed since you asked ${row.length} times (${newest.tool}). Wait at least ${waitSeconds} s before you ask again, or do something else in the meantime.`,
    numbers: { calls: row.length, waitSeconds },
    continuedBy: [],
    restsOn: latestSequences(row),
  }
}

function isSameQuestion(record: CallRecord, newest: CallRecord): boolean {
  return (
    record.waits &&
    !record.pauses &&
    record.callStatus === 'ran' &&
    record.call === newest.call &&
    record.outcome === newest.outcome &&
    record.generation === newest.generation
  )
}
