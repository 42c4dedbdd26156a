/** Which of the latest turns brought nothing that was not there before. */
import type { Activity, CallRecord, ReplyRecord } from '../../state/activity/index.ts'
import {
  latestSequences,
  type Detector,
  type Detection,
  type DetectionLevel,
  type SoftView,
} from './detection.ts'

/** A reply and the answers to what it asked for. */
interface ReplyTurn {
  readonly reply: ReplyRecord
  readonly calls: readonly CallRecord[]
}

/** `open`: it asked for calls, and no answer is known yet. `stale`: it asked for none, or all of them repeated or failed. */
type Freshness = 'open' | 'new' | 'stale'

function freshnessOf({ reply, calls }: ReplyTurn): Freshness {
  if (reply.calls > 0 && calls.length === 0) return 'open'
  return calls.some(isNew) ? 'new' : 'stale'
}

/** The usual case, told without looking back: the latest call brought something new, so no row of stale turns ends here. */
function hasJustSucceeded({ callsSinceProgress }: Activity, newest: ReplyRecord): boolean {
  return newest.calls > 0 && callsSinceProgress === 0
}

/** What waits is repeated for a reason, and a result that nobody knows may be a new one. */
function isNew({ repeat, failure, waits }: CallRecord): boolean {
  return waits || (repeat === 0 && failure === null)
}

/** The latest turns, newest first, between which the work did not become new. */
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

/** The sequence numbers of these replies, oldest first, not more than a reader wants. */
function replySequences(newestFirst: readonly ReplyTurn[]): readonly number[] {
  return newestFirst
    .slice(0, 10)
    .map(({ reply }) => reply.sequence)
    .reverse()
}

/** A shorter text, such as `Running the tests again.`, is said again by anybody. */
const shortestCharacters = 40
/** Replies among which a text that stands before calls is looked for. */
export const windowReplies = 16
/** Warnings come so many repetitions before the end. */
const earlierWarning = 2
/** Replies that say nothing and ask for nothing, in a row. */
const silence = { warning: 3, hopeless: 5 }
/** Replies in a row that chant, after which the run ends. */
const hopelessChants = 3

/**
 * A drive that says the same over and over: within one reply (chanting), in replies that ask for nothing (word for word, or
 * nothing at all), or before calls that bring nothing new. The same line before calls that do bring something new is how
 * work through a list looks, and is never a sign; nor is waiting.
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

/** The usual case is that it is not: that must cost next to nothing. */
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
    level: row.length >= hopelessChants ? 'hopeless' : 'warning',
    key: `chanting since turn ${first}`,
    message: `the reply repeats one passage over and over (${row.length} in a row)`,
    advice,
    numbers: { replies: row.length },
    continuedBy: [],
    restsOn: latestSequences(row),
  }
}

function silent(view: SoftView): Detection | undefined {
  const row = rowOf(view, ({ text, calls }) => text === '' && calls === 0)
  const level = levelOf(row.length, silence.warning, silence.hopeless)
  return level === undefined
    ? undefined
    : detection(level, 'silence', row, {
        message: `${row.length} empty replies in a row`,
        advice: `Your last ${row.length} replies were empty: no text and no tool call. Do the next step with a tool, or say what keeps you from it.`,
      })
}

/** Answers may take turns (A, B, A, B): what counts is how often this one stands among those that asked for nothing. */
function sameAnswer(view: SoftView, { text }: ReplyRecord): Detection | undefined {
  const same = rowOf(view, ({ calls }) => calls === 0).filter(({ reply }) => reply.text === text)
  const hopeless = view.settings.repeatedReplyThreshold
  const level = levelOf(same.length, Math.max(2, hopeless - earlierWarning), hopeless)
  return level === undefined
    ? undefined
    : detection(level, text, same, {
        message: `the same answer ${same.length} times, and nothing was done between`,
        advice: `You gave the same answer ${same.length} times and did nothing between. Saying it again changes nothing: look at what is still open and do something about it, or say what keeps you from it.`,
      })
}

/** One repetition more than answers without calls: something is at least tried. */
function sameTextBeforeCalls(view: SoftView, { text }: ReplyRecord): Detection | undefined {
  const same: ReplyTurn[] = []
  let looked = 0
  for (const turn of latestTurns(view.activity)) {
    looked += 1
    if (looked > windowReplies || freshnessOf(turn) !== 'stale') break
    if (turn.reply.text === text && turn.reply.calls > 0) same.push(turn)
  }
  const hopeless = view.settings.repeatedReplyThreshold + 1
  const level = levelOf(same.length, Math.max(2, hopeless - earlierWarning), hopeless)
  return level === undefined
    ? undefined
    : detection(level, text, same, {
        message: `the same words ${same.length} times, before calls that brought nothing new`,
        advice: `You have written the same ${same.length} times, and what you called each time brought nothing new. Take another way: write down what you know by now, and try something that you have not tried.`,
      })
}

function levelOf(count: number, warning: number, hopeless: number): DetectionLevel | undefined {
  if (count >= hopeless) return 'hopeless'
  return count >= warning ? 'warning' : undefined
}

/** The latest turns, newest first, as far as their replies are of this kind. */
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
    restsOn: replySequences(newestFirst),
  }
}
