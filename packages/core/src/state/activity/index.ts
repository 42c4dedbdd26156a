/** What has been done of late, as a detector looks at it: calls, replies and verifications, bounded, and what repeats of them. */
export {
  appendBounded,
  isOfList,
  isRepeat,
  keptCalls,
  keptReplies,
  newCallsOutOfLoop,
  noActivity,
  vetoOfCall,
  withCall,
  withEffectiveEdit,
  withIdleEdits,
  withNoOpEdit,
  withProgress,
  withReply,
  withTask,
  withTree,
  withVerification,
} from './activity.ts'
export type { Activity } from './activity.ts'
export { amountSaid } from './amount-said.ts'
export type { CallFact, CallRecord } from './records/call-record.ts'
export { listPattern } from './list-pattern.ts'
export { looks } from './looks.ts'
export { asksNothing, readCall } from './records/read-call.ts'
export { readOutcome } from './records/read-outcome.ts'
export { replyRecord, similarity } from './records/read-reply.ts'
export { verificationRecord } from './records/read-verification.ts'
export type { ReplyFact, ReplyRecord } from './records/reply-record.ts'
export { textHash } from './texts/text-hash.ts'
export type { VerificationRecord } from './records/verification-record.ts'
export { commandKeys, pauses, waits } from './waits.ts'
