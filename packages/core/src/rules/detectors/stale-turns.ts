/** Which of the latest turns brought nothing that was not there before. */
import type { Activity, CallRecord, ReplyRecord } from '../../state/activity/index.ts'

/** A reply and the answers to what it asked for. */
export interface ReplyTurn {
  readonly reply: ReplyRecord
  readonly calls: readonly CallRecord[]
}

/** `open`: it asked for calls, and no answer is known yet. `stale`: it asked for none, or all of them repeated or failed. */
export type Freshness = 'open' | 'new' | 'stale'

export function freshnessOf({ reply, calls }: ReplyTurn): Freshness {
  if (reply.calls > 0 && calls.length === 0) return 'open'
  return calls.some(isNew) ? 'new' : 'stale'
}

/** The usual case, told without looking back: the latest call brought something new, so no row of stale turns ends here. */
export function hasJustSucceeded({ callsSinceProgress }: Activity, newest: ReplyRecord): boolean {
  return newest.calls > 0 && callsSinceProgress === 0
}

/** What waits is repeated for a reason, and a result that nobody knows may be a new one. */
function isNew({ repeat, failure, waits }: CallRecord): boolean {
  return waits || (repeat === 0 && failure === null)
}

/** The latest turns, newest first, between which the work did not become new. */
export function* latestTurns({ replies, calls, generation }: Activity): Generator<ReplyTurn, undefined> {
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
export function replySequences(newestFirst: readonly ReplyTurn[]): readonly number[] {
  return newestFirst
    .slice(0, 10)
    .map(({ reply }) => reply.sequence)
    .reverse()
}
