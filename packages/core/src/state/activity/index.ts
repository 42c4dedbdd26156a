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
export {
  textAt,
  editedPaths,
  type CallFact,
  type CallRecord,
  listPattern,
  looks,
  asksNothing,
  readCall,
  amountSaid,
  readOutcome,
  pauses,
  waits,
} from './calls.ts'
export {
  replyRecord,
  type ReplyFact,
  type ReplyRecord,
  verificationRecord,
  type VerificationRecord,
} from './records.ts'
export { textHash } from './texts.ts'
