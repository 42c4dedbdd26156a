/** Separate from the schemas, so that importing it loads none of them. */
import type { GoalFact, ReplyCheckFact } from './check-facts.ts'

export const currentSchemaVersion = 1

const goalFactTypes: readonly string[] = [
  'goal-set',
  'goal-changed',
  'goal-change-refused',
  'agent-steered',
  'goal-wait-ended',
] satisfies readonly GoalFact['type'][]

export function isGoalFact<Other extends { readonly type: string }>(
  fact: Other,
): fact is Extract<Other, { type: GoalFact['type'] }> {
  return goalFactTypes.includes(fact.type)
}

const replyCheckTypes: readonly string[] = [
  'reply-judging-started',
  'reply-judged',
  'reply-settled',
  'reply-delivered',
] satisfies readonly ReplyCheckFact['type'][]

export function isReplyCheckFact<Other extends { readonly type: string }>(
  fact: Other,
): fact is Extract<Other, { type: ReplyCheckFact['type'] }> {
  return replyCheckTypes.includes(fact.type)
}
