import { similarity } from '../../state/activity/index.ts'
import { latestSequences, type Detector, type SoftView } from './detection.ts'
import { freshnessOf, hasJustSucceeded, latestTurns, replySequences, type ReplyTurn } from './stale-turns.ts'

/** Share of three-word pieces that two texts have in common, as far as their sketches tell, from which they are alike. */
const alikeShare = 0.8
/** Shorter texts are alike by chance. */
const fewestWords = 30
const warningReplies = 3
const criticalReplies = 5

/**
 * The same train of thought in other words, reply after reply, while the calls bring nothing new. What it goes on calling is
 * refused; where it calls nothing, the run ends.
 */
export const thoughtLoop: Detector = (view) => {
  const { replies } = view.activity
  const [newest, before] = [replies.at(-1), replies.at(-2)]
  if (newest === undefined || before === undefined || newest.words < fewestWords) return undefined
  if (hasJustSucceeded(view.activity, newest)) return undefined
  if (similarity(newest.sketch, before.sketch) < alikeShare) return undefined
  const row = alikeTurns(view)
  if (row.length < warningReplies) return undefined
  const calls = row.flatMap((turn) => turn.calls).sort((one, other) => one.sequence - other.sequence)
  const gravest = calls.length === 0 ? 'hopeless' : 'critical'
  return {
    detector: 'thought_loop',
    level: row.length >= criticalReplies ? gravest : 'warning',
    key: `since turn ${row.at(-1)?.reply.turn ?? 0}`,
    message: `${row.length} replies in a row think the same, and nothing new came of them`,
    advice: `Your last ${row.length} replies say nearly the same, and nothing new came of them. Question what they have in common: what if it is wrong? Test that, or take a way that you have not tried.`,
    numbers: { replies: row.length },
    continuedBy: [...new Set(calls.map(({ call }) => call))],
    restsOn: calls.length === 0 ? replySequences(row) : latestSequences(calls),
  }
}

/** Newest first. A reply whose calls have no answer (yet, or because they were refused) goes on with the row uncounted. */
function alikeTurns({ activity }: SoftView): readonly ReplyTurn[] {
  const row: ReplyTurn[] = []
  const newest = activity.replies.at(-1)
  for (const turn of latestTurns(activity)) {
    const { reply } = turn
    const isAlike = reply.words >= fewestWords && similarity(reply.sketch, newest?.sketch ?? []) >= alikeShare
    if (!isAlike) break
    const freshness = freshnessOf(turn)
    if (freshness === 'open') continue
    if (freshness !== 'stale') break
    row.push(turn)
  }
  return row
}
