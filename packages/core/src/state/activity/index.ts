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
  withProgress,
  withReply,
  withTask,
  withTree,
  withVerification,
  type Activity,
} from './activity.ts'
export { textAt } from './arguments.ts'
export { editedPaths } from './edited-paths.ts'
export type { CallFact, CallRecord } from './records/call-record.ts'
export { listPattern } from './list-pattern.ts'
export { looks } from './looks.ts'
export { asksNothing, readCall } from './records/read-call.ts'
export { amountSaid, readOutcome } from './records/read-outcome.ts'
export { replyRecord, type ReplyFact, type ReplyRecord } from './records/read-reply.ts'
export { verificationRecord, type VerificationRecord } from './records/read-verification.ts'
export { textHash } from './texts/text-hash.ts'
export { pauses, waits } from './waits.ts'
