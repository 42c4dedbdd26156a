import type { Activity, CallRecord, ReplyRecord } from '../../state/activity/index.ts'
import {
  latestSequences,
  type Detector,
  type Detection,
  type DetectionLevel,
  type SoftView,
} from './detection.ts'

interface ReplyTurn {
  readonly reply: ReplyRecord
  readonly calls: readonly CallRecord[]
}

/** `open`: its calls have no results yet. `stale`: no calls, or all of them repeated or failed. */
type Freshness = 'open' | 'new' | 'stale'

function freshnessOf({ reply, calls }: ReplyTurn): Freshness {
  if (reply.calls > 0 && calls.length === 0) return 'open'
  return calls.some(isNew) ? 'new' : 'stale'
}

/** Fast path: the latest call was new, so no stale row ends here. */
function hasJustSucceeded({ callsSinceProgress }: Activity, newest: ReplyRecord): boolean {
  return newest.calls > 0 && callsSinceProgress === 0
}

/** Waiting is repeated for a reason, and an unknown result may be new. */
function isNew({ repeat, failure, waits }: CallRecord): boolean {
  return waits || (repeat === 0 && failure === null)
}

/** The latest turns on unchanged work, newest first. */
function* latestTurns({ replies, calls, generation }: Activity): Generator<ReplyTurn, undefined> {
  let end = calls.length
  for (let index = replies.length - 1; index >= 0; index -= 1) {
    const reply = replies[index]
    if (reply?.generation !== generation) return
    let start = end
    while (start > 0 && calls[start - 1]?.turn === reply.turn) start -= 1
    yield { reply, calls: calls.slice(start, end) }
    end = start
  }
}

/** Oldest first, limited to what a reader needs. */
function replySequences(newestFirst: readonly ReplyTurn[]): readonly number[] {
  return newestFirst
    .slice(0, 10)
    .map(({ reply }) => reply.sequence)
    .reverse()
}

/** Shorter texts, such as `Running the tests again.`, repeat naturally. */
const shortestCharacters = 40
/** Replies searched for a text that precedes calls. */
export const windowReplies = 16
/** Warns this many repetitions before the end. */
const earlierWarning = 2
const silence = { warning: 3, fatal: 5 }
const fatalChants = 3

/**
 * An agent that repeats itself: within one reply (chanting), in replies without calls, or before calls that
 * bring nothing new. The same line before new results is normal list work, and waiting never counts.
 */
export const repeatedReply: Detector = (view) => {
  const newest = view.activity.replies.at(-1)
  if (newest === undefined) return undefined
  if (newest.chants) return chanting(view)
  if (newest.text === '') return newest.calls === 0 ? silent(view) : undefined
  if (newest.characters < shortestCharacters || hasJustSucceeded(view.activity, newest)) return undefined
  if (!isThereTwice(view, newest)) return undefined
  return newest.calls === 0 ? sameAnswer(view, newest) : sameTextBeforeCalls(view, newest)
}

/** Cheap test for the usual case: no repetition. */
function isThereTwice({ activity: { replies } }: SoftView, newest: ReplyRecord): boolean {
  for (let index = replies.length - 2; index >= 0; index -= 1)
    if (replies[index]?.text === newest.text) return true
  return false
}

function chanting({ activity: { replies } }: SoftView): Detection {
  const other = replies.findLastIndex((reply) => !reply.chants)
  const row = replies.slice(other + 1)
  const first = row[0]?.turn ?? 0
  const advice =
    'Your reply repeats one passage over and over. Stop writing it: say in one sentence what you will do next, and do it.'
  return {
    detector: 'repeated_reply',
    level: row.length >= fatalChants ? 'fatal' : 'warning',
    key: `chanting since turn ${first}`,
    message: `the reply repeats one passage over and over (${row.length} in a row)`,
    advice,
    numbers: { replies: row.length },
    continuedBy: [],
    basedOn: latestSequences(row),
  }
}

function silent(view: SoftView): Detection | undefined {
  const row = rowOf(view, ({ text, calls }) => text === '' && calls === 0)
  const level = levelOf(row.length, silence.warning, silence.fatal)
  return level === undefined
    ? undefined
    : detection(level, 'silence', row, {
        message: `${row.length} empty replies in a row`,
        advice: `Your last ${row.length} replies were empty: no text and no tool call. Do the next step with a tool, or say what keeps you from it.`,
      })
}

/** Replies may alternate (A, B, A, B), so this counts occurrences among replies without calls. */
function sameAnswer(view: SoftView, { text }: ReplyRecord): Detection | undefined {
  const same = rowOf(view, ({ calls }) => calls === 0).filter(({ reply }) => reply.text === text)
  const fatal = view.settings.repeatedReplyThreshold
  const level = levelOf(same.length, Math.max(2, fatal - earlierWarning), fatal)
  return level === undefined
    ? undefined
    : detection(level, text, same, {
        message: `the same answer ${same.length} times, and nothing was done between`,
        advice: `You gave the same answer ${same.length} times and did nothing between. Saying it again changes nothing: look at what is still open and do something about it, or say what keeps you from it.`,
      })
}

/** One more repetition than replies without calls: at least something is tried. */
function sameTextBeforeCalls(view: SoftView, { text }: ReplyRecord): Detection | undefined {
  const same: ReplyTurn[] = []
  let looked = 0
  for (const turn of latestTurns(view.activity)) {
    looked += 1
    if (looked > windowReplies || freshnessOf(turn) !== 'stale') break
    if (turn.reply.text === text && turn.reply.calls > 0) same.push(turn)
  }
  const fatal = view.settings.repeatedReplyThreshold + 1
  const level = levelOf(same.length, Math.max(2, fatal - earlierWarning), fatal)
  return level === undefined
    ? undefined
    : detection(level, text, same, {
        message: `the same words ${same.length} times, before calls that brought nothing new`,
        advice: `You have written the same ${same.length} times, and what you called each time brought nothing new. Take another way: write down what you know by now, and try something that you have not tried.`,
      })
}

function levelOf(count: number, warning: number, fatal: number): DetectionLevel | undefined {
  if (count >= fatal) return 'fatal'
  return count >= warning ? 'warning' : undefined
}

function rowOf({ activity }: SoftView, isOfKind: (reply: ReplyRecord) => boolean): readonly ReplyTurn[] {
  const row: ReplyTurn[] = []
  for (const turn of latestTurns(activity)) {
    if (!isOfKind(turn.reply)) break
    row.push(turn)
  }
  return row
}

function detection(
  level: DetectionLevel,
  key: string,
  newestFirst: readonly ReplyTurn[],
  words: Pick<Detection, 'message' | 'advice'>,
): Detection {
  return {
    detector: 'repeated_reply',
    level,
    key,
    ...words,
    numbers: { replies: newestFirst.length },
    continuedBy: [],
    basedOn: replySequences(newestFirst),
  }
}
