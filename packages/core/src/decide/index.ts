/** What happens next: the decision, the end of a turn, replies, claims, the final summary. */
export { decide } from './decide.ts'
export type { Decision, Judgement } from './decision.ts'
export { howToGoOn, topUpOf } from './final-summary.ts'
export { isAtBoundary, goalView } from './goal.ts'
export { sameFamilyJudge } from './same-family-judge.ts'
export { defaultKeywords, defaultNegations } from './replies.ts'
export { waitBefore } from './turn-end/stop-candidates.ts'
export { feedbackAtStop } from './turn-end/go-on.ts'
