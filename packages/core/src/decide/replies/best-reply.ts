/** Which of several replies is delivered when none has passed. */
import type { JudgedReply } from '../../state/index.ts'

/** From what weighs least to what weighs most. A category that is not named weighs as much as `rule_violation`. */
const gravity: readonly string[] = ['tone_mismatch', 'incomplete', 'rule_violation', 'goal_missed', 'refusal']

/**
 * The one that is not known to fall short before those that are; then the higher score, where a missing one is the lowest;
 * then the category that weighs less; then the later attempt.
 */
export function bestReply(replies: readonly JudgedReply[]): JudgedReply | undefined {
  return replies.toSorted(
    (one, other) =>
      statusRank(one) - statusRank(other) ||
      (other.score ?? -1) - (one.score ?? -1) ||
      gravityOf(one) - gravityOf(other) ||
      other.attempt - one.attempt,
  )[0]
}

function statusRank({ status }: JudgedReply): number {
  if (status === 'passed') return 0
  return status === 'failed' ? 2 : 1
}

function gravityOf({ category }: JudgedReply): number {
  const place = category === undefined ? -1 : gravity.indexOf(category)
  return place === -1 ? gravity.indexOf('rule_violation') : place
}
