/** What has been done of late, as a detector looks at it: calls, replies and verifications, bounded, and what repeats of them. */
export {
  isOfList,
  isRepeat,
  keptCalls,
  keptReplies,
  newCallsOutOfLoop,
  noActivity,
  vetoOfCall,
  withCall,
  withNoOpEdit,
  withProgress,
  withReply,
  withVerification,
} from './activity.ts'
export type { Activity } from './activity.ts'
export type { CallFact, CallRecord } from './call-record.ts'
export type { ReplyFact, ReplyRecord } from './reply-record.ts'
export type { VerificationRecord } from './verification-record.ts'
export { replyRecord, similarity } from './read-reply.ts'
export { asksNothing, readCall } from './read-call.ts'
export { readOutcome } from './read-outcome.ts'
export { amountSaid } from './amount-said.ts'
export { listPattern } from './list-pattern.ts'
export { looks } from './looks.ts'
export { pauses, waits } from './waits.ts'
